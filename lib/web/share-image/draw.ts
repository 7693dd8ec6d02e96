import type { OverlayOptions } from "sharp";
import { CODE_FONT, fonts, NAME_FONT } from "./fonts";
import { drawableGraphemes } from "./glyphs";
import { background, coloursOf, HEIGHT, TICKET, TILE, type Tile, WIDTH } from "./shapes";
import { fitLine, type PaintedLine, painter } from "./text";

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
