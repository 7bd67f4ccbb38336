/** Pixels of the longer side: twice the largest file that the server keeps. */
const SIDE = 1_440;
/** Bytes up to which a file is sent as it is. */
const SMALL = 1_000_000;
/** Pixels of the longer side of a logo, the largest that fits into its bytes. */
const LOGO_SIDES = [512, 320, 192];
const KNOWN = /^image\/(jpeg|png|webp)$/;

/** Draws a picture in a size that fits into a square, turned as it says and without other data. */
async function drawn(
  file: Blob,
  side: number,
  ground: string | undefined,
  kind: string,
): Promise<Blob | null> {
  const photo = await createImageBitmap(file);
  const scale = Math.min(1, side / Math.max(photo.width, photo.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(photo.width * scale);
  canvas.height = Math.ceil(photo.height * scale);
  const context = canvas.getContext("2d");
  if (context && ground !== undefined) {
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context?.drawImage(photo, 0, 0, canvas.width, canvas.height);
  photo.close();
  return context && (await new Promise<Blob | null>((done) => canvas.toBlob(done, kind, 0.9)));
}

/**
 * Returns a photo in a size that is quickly uploaded, without the place where it was taken; the file itself
 * if it is small, or if this browser can't read it.
 */
export async function smallerPicture(file: Blob): Promise<Blob> {
  if (file.size <= SMALL && KNOWN.test(file.type)) {
    return file;
  }
  try {
    return (await drawn(file, SIDE, "#fff", "image/jpeg")) ?? file;
  } catch {
    return file;
  }
}

/** Returns a logo as PNG of at most so many bytes, with what is transparent; undefined if this browser can't read it. */
export async function logoPicture(file: Blob, most: number): Promise<Blob | undefined> {
  try {
    for (const side of LOGO_SIDES) {
      const logo = await drawn(file, side, undefined, "image/png");
      if (logo && logo.size <= most) {
        return logo;
      }
    }
  } catch {
    // Not a picture that this browser shows.
  }
  return undefined;
}
