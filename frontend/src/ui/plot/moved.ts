import type { KeyboardEvent } from "react";

/** Returns the point to which a key moves from `now` among those up to `last`; undefined for other keys. */
export function moved(event: KeyboardEvent, now: number, last: number): number | undefined {
  const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
  if (next === undefined) {
    return undefined;
  }
  event.preventDefault();
  return Math.min(Math.max(next, 0), last);
}
