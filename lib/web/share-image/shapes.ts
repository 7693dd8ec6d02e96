import { contrast, DEFAULT_ACCENT, mix } from "@/lib/contract/colour";

const INK = "#15171a";
const PAPER = "#ffffff";

interface Colours {
  ground: string;
  /** A shade of the background, for the far corner. */
  shade: string;
  /** Text on the background; also the colour of ticket and tile. */
  text: string;
  /** Secondary text on the background. */
  quiet: string;
  /** Text on ticket and tile. */
  onPlate: string;
}

/**
 * The image's colours, readable with any accent: text is black or white, whichever has more contrast, and the shade
 * moves away from it, so that contrast only grows.
 */
export function coloursOf(accent: string | undefined): Colours {
  const ground = accent ?? DEFAULT_ACCENT;
  const dark = contrast(ground, PAPER) >= contrast(ground, INK);
  const [text, onPlate] = dark ? [PAPER, INK] : [INK, PAPER];
  const shade = mix(ground, dark ? "#000000" : PAPER, 0.28);
  return { ground, shade, text, onPlate, quiet: mix(text, ground, 0.12) };
}

/** The size that chat apps expect; some crop a square from the middle. */
export const WIDTH = 1200;
export const HEIGHT = 630;
const CENTRE = WIDTH / 2;

/** Side of the app's tile. */
export const TILE = 160;

export const TICKET = { middle: 518, width: 880, height: 136 };

/** The tile's middle and content: the icon, else the app's initial, else a ticket. */
export interface Tile {
  y: number;
  icon: Buffer | undefined;
  initial: boolean;
}

function tileShapes({ y, icon, initial }: Tile, fill: string, mark: string): string {
  const [left, top] = [CENTRE - TILE / 2, y - TILE / 2];
  const shape = `x="${left}" y="${top}" width="${TILE}" height="${TILE}" rx="${TILE * 0.225}"`;
  if (!icon) return `<rect ${shape} fill="${fill}"/>${initial ? "" : ticketMark(y, mark, fill)}`;
  // The thin line separates a dark icon from a dark background.
  return `<clipPath id="tile"><rect ${shape}/></clipPath><rect ${shape} fill="#ffffff"/>
<image href="data:image/png;base64,${icon.toString("base64")}" x="${left}" y="${top}" width="${TILE}" height="${TILE}" clip-path="url(#tile)"/>
<rect ${shape} fill="none" stroke="#808080" stroke-opacity="0.45" stroke-width="2"/>`;
}

function ticketMark(y: number, colour: string, ground: string): string {
  const notches = [-42, 42].map((x) => `<circle cx="${CENTRE + x}" cy="${y}" r="9" fill="${ground}"/>`);
  return `<rect x="${CENTRE - 42}" y="${y - 28}" width="84" height="56" rx="11" fill="${colour}"/>${notches.join("")}`;
}

/** A ticket with a notch at either end, for the metacode. */
function ticketShapes(fill: string): string {
  const { middle, width, height } = TICKET;
  const [left, right, top] = [CENTRE - width / 2, CENTRE + width / 2, middle - height / 2];
  const notches = [left, right].map((x) => `<circle cx="${x}" cy="${middle}" r="22" fill="#000000"/>`);
  const shape = `x="${left}" y="${top}" width="${width}" height="${height}"`;
  return `<mask id="ticket"><rect ${shape} rx="34" fill="#ffffff"/>${notches.join("")}</mask>
<rect ${shape} fill="${fill}" mask="url(#ticket)"/>`;
}

/** The image without its texts, as SVG. */
export function background(colours: Colours, tile: Tile, ticket: boolean): string {
  const { ground, shade, text, onPlate } = colours;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<linearGradient id="ground" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${ground}"/><stop offset="1" stop-color="${shade}"/></linearGradient>
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#ground)"/>
${tileShapes(tile, text, onPlate)}
${ticket ? ticketShapes(text) : ""}</svg>`;
}
