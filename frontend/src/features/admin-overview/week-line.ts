/** Returns the path of a line in steps, as high as the share of the highest value. */
export function steps(values: readonly number[], width: number, height: number): string {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  const y = (value: number) => (height * (0.9 - 0.7 * (value / most))).toFixed(1);
  return values
    .map((value, index) => `${index === 0 ? "M0 " : "V"}${y(value)}H${((index + 1) * step).toFixed(1)}`)
    .join("");
}
