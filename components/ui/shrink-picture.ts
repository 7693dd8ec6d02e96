/** The side of an icon in pixels, large enough for every place that shows it. */
const SIDE = 256;

/** The central square of a picture as a PNG of 256 pixels, in Base64. */
export async function shrinkPicture(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  const side = Math.min(picture.width, picture.height);
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  canvas.getContext("2d")?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
  picture.close();
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}
