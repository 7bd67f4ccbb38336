import { request } from "./client";

/** Maximum number of reports of a page load: a browser that shows no pictures sends few. */
const MOST = 5;
const reported = new Set<string>();

/** Reports a picture that failed to load, once, unless the browser is offline. */
export function pictureFailed(id: string, image: string): void {
  if (navigator.onLine && reported.size < MOST && !reported.has(image)) {
    reported.add(image);
    report("failed", id, image);
  }
}

/** Reports that a picture loads in this administrator's browser, which clears earlier failures. */
export function pictureLoads(id: string, image: string): void {
  report("loads", id, image);
}

function report(how: "failed" | "loads", id: string, image: string): void {
  const path = `/product/picture-${how}/${encodeURIComponent(id)}`;
  // The visitor can do nothing about a failure, and may leave meanwhile.
  request(path, "", { method: "POST", body: { image }, keepalive: true }).catch(() => undefined);
}
