/**
 * Returns an http(s) address, and nothing for one that a browser would run. The server
 * stores no other, but a database that was tampered with may.
 */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) ? text : undefined;
}

/** Returns the address of a picture that a page may show: one of the web, of the shop, or of the demo shop. */
export function pictureAddress(text: string | undefined): string | undefined {
  return text !== undefined && /^(https?:\/\/|\/demo\/[a-z0-9-]+\.svg$|\/picture\/)/i.test(text)
    ? text
    : undefined;
}
