/**
 * Returns an http(s) address, and nothing for one that a browser would run. The server
 * stores no other, but a database that was tampered with may.
 */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) ? text : undefined;
}

/** Returns the address of a picture that a page may show: one of the web, of the shop, or of the demo shop. */
export function pictureAddress(text: string | undefined): string | undefined {
  return text !== undefined && /^(https?:\/\/|\/demo\/[a-z0-9-]+\.svg$|\/picture\/)/i.test(text)
    ? text
    : undefined;
}

/** Address of a picture that a shop keeps itself: it ends with the size of its largest file. */
const OWN = /^(.*\/picture\/[0-9a-f]{32})-(\d+)x(\d+)\.webp$/;
/** Sides of the smaller files in pixels (`src/domain/own_picture.rs`). */
const SIDES = [96, 360];

/** Attributes of an image that a shop keeps itself: its files with their widths, and its size. */
export function ownPicture(address: string, sizes: string) {
  const [, start, ...size] = OWN.exec(address) ?? [];
  const [width, height] = size.map(Number);
  if (!width || !height) {
    return {};
  }
  const longer = Math.max(width, height);
  const smaller = SIDES.filter((side) => side < longer).map((side) => [
    `${start}-${side}.webp`,
    `${Math.ceil((width * side) / longer)}w`,
  ]);
  const files = [...smaller, [address, `${width}w`]].map((file) => file.join(" "));
  return { srcSet: files.join(", "), sizes, width, height };
}
