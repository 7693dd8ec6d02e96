import type { Sharp } from "sharp";
import { fonts } from "./fonts";

/** The renderer, whose Pango shapes every script and orders both directions of writing. */
export async function painter() {
  return (await import("sharp")).default;
}

/** A line of text as an image without a margin. */
export interface PaintedLine {
  input: Buffer;
  width: number;
  height: number;
}

interface Style {
  font: string;
  colour: string;
  /** Pixels. */
  width: number;
  /** Font sizes in pixels. */
  largest: number;
  smallest: number;
}

const MARKS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) => text.replace(/[&<>]/g, (mark) => MARKS[mark] ?? "");

let loading: Promise<void> | undefined;

/** The renderer loads a font with the first text in it; this does so once per process. */
function loadFonts(): Promise<void> {
  loading ??= (async () => {
    const sharp = await painter();
    for (const fontfile of (await fonts()).files) await sharp({ text: { text: "a", fontfile } }).toBuffer();
  })();
  return loading;
}

async function paint(text: string, { font, colour }: Style, size: number): Promise<PaintedLine> {
  const sharp = await painter();
  const markup = `<span foreground="${colour}">${escaped(text)}</span>`;
  const picture: Sharp = sharp({
    text: { text: markup, font: `${font} ${size}`, rgba: true, dpi: 72, wrap: "none" },
  });
  const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}

/** Graphemes in one line: smaller when there are many, cut off with an ellipsis before they get too small. */
export async function fitLine(glyphs: string[], style: Style): Promise<PaintedLine> {
  await loadFonts();
  const { width, largest, smallest } = style;
  let shown = glyphs;
  let line = await paint(shown.join(""), style, largest);
  let size = Math.floor(Math.min(largest, (largest * width) / line.width));
  while (size < smallest && shown.length > 4) {
    const fitting = Math.min(shown.length - 2, Math.floor(shown.length * (size / smallest)));
    shown = [...shown.slice(0, fitting), "…"];
    line = await paint(shown.join(""), style, smallest);
    size = line.width > width ? Math.floor((smallest * width) / line.width) : smallest;
  }
  if (size < largest) line = await paint(shown.join(""), style, Math.max(size, 1));
  return line;
}
