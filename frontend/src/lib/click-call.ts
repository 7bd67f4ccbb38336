/**
 * Returns the path of the call that counts a click. In a file of its own, because the first
 * script makes this call before the app has loaded.
 */
export function clickCall(id: string): string {
  return `/product/increament-views/${encodeURIComponent(id)}`;
}

/**
 * Body of each click: a number that distinguishes visitors of one address for as long as the
 * page lives, and the referrer.
 */
export const clickNote = {
  visit: Math.random().toString(16).slice(2),
  // Undefined in the test that renders the app in Node.
  from: new URLSearchParams(globalThis.location?.search).get("utm_source") ?? globalThis.document?.referrer,
  webdriver: globalThis.navigator?.webdriver,
};
