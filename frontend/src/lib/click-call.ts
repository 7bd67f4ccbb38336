/**
 * The call that counts a click on a product's affiliate link. A file of its own, because the
 * first script makes this call before the app is there, and needs nothing else of the API.
 */
export function clickCall(id: string): string {
  return `/product/increament-views/${encodeURIComponent(id)}`;
}

/**
 * What the page says with each click: a number by which visitors of one address are told apart, which
 * lives as long as the page, and from where it was come to.
 */
export const clickNote = {
  visit: Math.random().toString(16).slice(2),
  // Nothing of it is there in the test that renders the app in Node.
  from: new URLSearchParams(globalThis.location?.search).get("utm_source") ?? globalThis.document?.referrer,
  webdriver: globalThis.navigator?.webdriver,
};
