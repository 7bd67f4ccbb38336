/**
 * What a page may lead to: an http(s) address, and nothing that a browser would run. The
 * server stores no other; a database that somebody else changed may hold one.
 */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) ? text : undefined;
}
