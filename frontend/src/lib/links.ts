/**
 * Returns an http(s) address, and nothing for one that a browser would run. The server
 * stores no other, but a database that was tampered with may.
 */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) ? text : undefined;
}
