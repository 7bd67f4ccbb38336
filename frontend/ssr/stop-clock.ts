function refuse(): never {
  throw new Error("the server's pages depend on their address and data alone");
}

/** Makes the present time and chance throw: a page is kept for as long as its data are the same. */
export function stopClock(): void {
  Date.now = refuse;
  Math.random = refuse;
  globalThis.Date = new Proxy(Date, {
    apply: refuse,
    construct: (date, given: string[]) => (given.length === 0 ? refuse() : new date(...(given as [string]))),
  });
}
