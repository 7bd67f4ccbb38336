import { request } from "./client";

/** Pictures of one page load that the shop is told of: a browser that shows none tells of few. */
const MOST = 5;
const told = new Set<string>();

/** Tells the owner of a product's picture that this browser could not show: once, and not without a network. */
export function pictureFailed(id: string, image: string): void {
  if (navigator.onLine && told.size < MOST && !told.has(image)) {
    told.add(image);
    tell("failed", id, image);
  }
}

/** Takes a picture off the list of those that failed, because it loads in this browser of an owner. */
export function pictureLoads(id: string, image: string): void {
  tell("loads", id, image);
}

function tell(how: "failed" | "loads", id: string, image: string): void {
  const path = `/product/picture-${how}/${encodeURIComponent(id)}`;
  // Whoever looks at the page can do nothing about a failure.
  request(path, "", { method: "POST", body: { image } }).catch(() => undefined);
}
