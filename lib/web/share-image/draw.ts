import type { OverlayOptions, Sharp } from "sharp";
import { CODE_FONT, fonts, NAME_FONT } from "@/lib/web/share-image/fonts";
import { drawableGraphemes } from "@/lib/web/share-image/glyphs";
import { background, coloursOf, HEIGHT, TICKET, TILE, type Tile, WIDTH } from "@/lib/web/share-image/shapes";

/** The renderer, whose Pango shapes every script and orders both directions of writing. */
async function painter() {
  return (await import("sharp")).default;
}

/** A line of text as an image without a margin. */
interface PaintedLine {
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
  })().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
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
async function fitLine(glyphs: string[], style: Style): Promise<PaintedLine> {
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

/** The image's content. A closed invitation has neither inviter nor metacode, so the app stands alone. */
export interface ShareImage {
  appName: string;
  /** `#rrggbb`. */
  accent: string | undefined;
  /** The icon's bytes, a PNG. */
  icon: Buffer | undefined;
  inviter: string | undefined;
  metacode: string | undefined;
}

const INVITER = { font: NAME_FONT, width: 1040, largest: 84, smallest: 44 };
const APP = { font: NAME_FONT, width: 1000, largest: 44, smallest: 34 };
const APP_ALONE = { font: NAME_FONT, width: 1040, largest: 96, smallest: 44 };
const CODE = { font: CODE_FONT, width: 760, largest: 72, smallest: 1 };
const INITIAL = { font: NAME_FONT, width: TILE - 40, largest: 84, smallest: 1 };

/** A line with its middle at `y`. */
function at(line: PaintedLine, y: number): OverlayOptions {
  return {
    input: line.input,
    left: Math.round((WIDTH - line.width) / 2),
    top: Math.round(y - line.height / 2),
  };
}

interface Lines {
  inviter: PaintedLine | undefined;
  app: PaintedLine | undefined;
  code: PaintedLine | undefined;
  initial: PaintedLine | undefined;
}

async function linesOf(image: ShareImage): Promise<Lines> {
  const { covered } = await fonts();
  const { text: colour, quiet, onPlate } = coloursOf(image.accent);
  const inviter = image.inviter ? drawableGraphemes(image.inviter, covered) : undefined;
  const app = drawableGraphemes(image.appName, covered);
  const initial = image.icon
    ? undefined
    : drawableGraphemes(image.appName.toUpperCase(), covered)?.slice(0, 1);
  return {
    inviter: inviter && (await fitLine(inviter, { ...INVITER, colour })),
    app: app && (await fitLine(app, inviter ? { ...APP, colour: quiet } : { ...APP_ALONE, colour })),
    code: image.metacode ? await fitLine([...image.metacode], { ...CODE, colour: onPlate }) : undefined,
    initial: initial && (await fitLine(initial, { ...INITIAL, colour: onPlate })),
  };
}

/** The middles of the parts, in pixels from the top. */
function placesOf({ inviter, app, code }: Lines) {
  if (!code) return { tile: 230, inviter: 0, app: 400 };
  if (!inviter && !app) return { tile: 236, inviter: 0, app: 0 };
  return inviter ? { tile: 128, inviter: 291, app: 384 } : { tile: 148, inviter: 0, app: 326 };
}

/**
 * The share image as PNG, without a word in any language: app, inviter and metacode only, because the link's title has
 * the sentence. A name with letters that none of our fonts has is left out.
 */
export async function drawShareImage(image: ShareImage): Promise<Buffer> {
  const sharp = await painter();
  const lines = await linesOf(image);
  const places = placesOf(lines);
  const tile: Tile = { y: places.tile, icon: image.icon, initial: lines.initial !== undefined };
  const colours = coloursOf(image.accent);
  const layers = [
    lines.initial && at(lines.initial, places.tile),
    lines.inviter && at(lines.inviter, places.inviter),
    lines.app && at(lines.app, places.app),
    lines.code && at(lines.code, TICKET.middle),
  ].filter((layer) => layer !== undefined);
  return sharp(Buffer.from(background(colours, tile, lines.code !== undefined)))
    .resize(WIDTH, HEIGHT)
    .composite(layers)
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer();
}
