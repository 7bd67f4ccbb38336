/** Days between two labels: each, every other, or whole weeks. */
const STEPS = [1, 2, 7, 14, 28, 56, 112, 224];
/** Minimum space between two labels in pixels. */
const GAP = 8;

/**
 * Returns the points with a label, counted back from the last one in equal steps. Labels stand in the middle below
 * their points, except the last one, which ends where the drawing ends.
 */
export function labelled(points: number, width: number, label: number): number[] {
  const last = points - 1;
  const each = width / points;
  const step = STEPS.find((some) => some * each >= label + GAP && (some + 0.5) * each >= 1.5 * label + GAP);
  const found = [last];
  if (step !== undefined) {
    for (let at = last - step; (at + 0.5) * each >= label / 2; at -= step) {
      found.unshift(at);
    }
  }
  return found;
}
