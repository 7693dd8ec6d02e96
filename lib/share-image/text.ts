import type { Sharp } from "sharp";
import { fonts } from "./fonts";

/** What draws: Pango shapes the letters of every script and puts both directions of writing in order. */
export async function painter() {
  return (await import("sharp")).default;
}

/** A line of text as a picture, without any margin. */
export interface Line {
  input: Buffer;
  width: number;
  height: number;
}

export interface Style {
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

let known: Promise<void> | undefined;

/** Fonts become known to the renderer with a first text in each, once for the process. */
function introduceFonts(): Promise<void> {
  known ??= (async () => {
    const sharp = await painter();
    for (const fontfile of (await fonts()).files) await sharp({ text: { text: "a", fontfile } }).toBuffer();
  })();
  return known;
}

async function paint(text: string, { font, colour }: Style, size: number): Promise<Line> {
  const sharp = await painter();
  const markup = `<span foreground="${colour}">${escaped(text)}</span>`;
  const picture: Sharp = sharp({
    text: { text: markup, font: `${font} ${size}`, rgba: true, dpi: 72, wrap: "none" },
  });
  const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
  return { input: data, width: info.width, height: info.height };
}

/** Letters in one line: smaller where they are many, cut with an ellipsis where they would get too small. */
export async function fitLine(letters: string[], style: Style): Promise<Line> {
  await introduceFonts();
  const { width, largest, smallest } = style;
  let shown = letters;
  let line = await paint(shown.join(""), style, largest);
  let size = Math.floor(Math.min(largest, (largest * width) / line.width));
  while (size < smallest && shown.length > 4) {
    const kept = Math.min(shown.length - 2, Math.floor(shown.length * (size / smallest)));
    shown = [...shown.slice(0, kept), "…"];
    line = await paint(shown.join(""), style, smallest);
    size = line.width > width ? Math.floor((smallest * width) / line.width) : smallest;
  }
  if (size < largest) line = await paint(shown.join(""), style, Math.max(size, 1));
  return line;
}
