/** A blue picture of 40 by 20 pixels. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAAJElEQVR4nGOQ9bsxIIhh1OJRi0ctHrV41OJRi0ctHrV45FgMALhD8Y6wVrIIAAAAAElFTkSuQmCC",
  "base64",
);
