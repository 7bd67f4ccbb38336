/** Pixels of the longer side: twice the largest file that the server keeps. */
const SIDE = 1_440;
/** Bytes up to which a file is sent as it is. */
const SMALL = 1_000_000;
const KNOWN = /^image\/(jpeg|png|webp)$/;

/**
 * Returns a photo in a size that is quickly uploaded, without the place where it was taken; the file itself
 * if it is small, or if this browser can't read it.
 */
export async function smallerPicture(file: Blob): Promise<Blob> {
  if (file.size <= SMALL && KNOWN.test(file.type)) {
    return file;
  }
  try {
    const photo = await createImageBitmap(file);
    const scale = Math.min(1, SIDE / Math.max(photo.width, photo.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(photo.width * scale);
    canvas.height = Math.ceil(photo.height * scale);
    const context = canvas.getContext("2d");
    if (!context) {
      return file;
    }
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(photo, 0, 0, canvas.width, canvas.height);
    photo.close();
    const smaller = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.9));
    return smaller ?? file;
  } catch {
    return file;
  }
}
