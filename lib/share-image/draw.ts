import type { OverlayOptions } from "sharp";
import { coloursOf } from "./colours";
import { CODE_FONT, fonts, NAME_FONT } from "./fonts";
import { drawable } from "./letters";
import { background, HEIGHT, TICKET, TILE, type Tile, WIDTH } from "./shapes";
import { fitLine, type Line, painter } from "./text";

/** What is shown. Without inviter and metacode, as of a closed invitation, the app alone. */
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

/** A line with its middle at a place. */
function at(line: Line, y: number): OverlayOptions {
  return {
    input: line.input,
    left: Math.round((WIDTH - line.width) / 2),
    top: Math.round(y - line.height / 2),
  };
}

interface Lines {
  inviter: Line | undefined;
  app: Line | undefined;
  code: Line | undefined;
  initial: Line | undefined;
}

async function linesOf(image: ShareImage): Promise<Lines> {
  const { covered } = await fonts();
  const { text: colour, quiet, onPlate } = coloursOf(image.accent);
  const inviter = image.inviter ? drawable(image.inviter, covered) : undefined;
  const app = drawable(image.appName, covered);
  const initial = image.icon ? undefined : drawable(image.appName.toUpperCase(), covered)?.slice(0, 1);
  return {
    inviter: inviter && (await fitLine(inviter, { ...INVITER, colour })),
    app: app && (await fitLine(app, inviter ? { ...APP, colour: quiet } : { ...APP_ALONE, colour })),
    code: image.metacode ? await fitLine([...image.metacode], { ...CODE, colour: onPlate }) : undefined,
    initial: initial && (await fitLine(initial, { ...INITIAL, colour: onPlate })),
  };
}

/** Where the middles of the parts lie, from the top. */
function placesOf({ inviter, app, code }: Lines) {
  if (!code) return { tile: 230, inviter: 0, app: 400 };
  if (!inviter && !app) return { tile: 236, inviter: 0, app: 0 };
  return inviter ? { tile: 128, inviter: 291, app: 384 } : { tile: 148, inviter: 0, app: 326 };
}

/**
 * The share image as PNG, without a word in any language: app, inviter and metacode say it, the title of the link says
 * the rest. A name with letters that no font of ours has is left out.
 */
export async function drawShareImage(image: ShareImage): Promise<Buffer> {
  const sharp = await painter();
  const lines = await linesOf(image);
  const places = placesOf(lines);
  const tile: Tile = { y: places.tile, icon: image.icon, letter: lines.initial !== undefined };
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
