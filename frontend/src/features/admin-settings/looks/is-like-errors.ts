/** Range around the hue of errors, in degrees (--danger of styles/tokens.css). */
const RED = { from: 340, to: 18 } as const;
/** Smallest saturation at which a colour has a hue that one sees. */
const VIVID = 0.35;

/** Returns true for a colour like `#b3261e`, which looks like the red of errors. */
export function isLikeErrors(colour: string): boolean {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts;
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  if (most !== red || span < VIVID * most) {
    return false;
  }
  const hue = (60 * ((green - blue) / span) + 360) % 360;
  return hue >= RED.from || hue <= RED.to;
}
