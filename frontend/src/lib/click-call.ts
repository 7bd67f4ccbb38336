/**
 * The call that counts a click on a product's affiliate link. A file of its own, because the
 * first script makes this call before the app is there, and needs nothing else of the API.
 */
export function clickCall(id: string): string {
  return `/product/increament-views/${encodeURIComponent(id)}`;
}
