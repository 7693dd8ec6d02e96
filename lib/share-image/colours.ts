import { contrast, mix } from "@/lib/contract/colour";

/** What an app looks like that has picked no colour. */
const DEFAULT = "#1d4ed8";
const INK = "#15171a";
const PAPER = "#ffffff";

export interface Colours {
  ground: string;
  /** A shade of the ground, for the far corner. */
  shade: string;
  /** Text on the ground; also what ticket and tile are made of. */
  text: string;
  /** Lesser text on the ground. */
  quiet: string;
  /** Text on ticket and tile. */
  onPlate: string;
}

/**
 * The image in the app's colour, readable whatever was picked: text is black or white, whichever stands out more, and
 * the shade goes away from it, so that contrast only grows.
 */
export function coloursOf(accent: string | undefined): Colours {
  const ground = accent ?? DEFAULT;
  const dark = contrast(ground, PAPER) >= contrast(ground, INK);
  const [text, onPlate] = dark ? [PAPER, INK] : [INK, PAPER];
  const shade = mix(ground, dark ? "#000000" : PAPER, 0.28);
  return { ground, shade, text, onPlate, quiet: mix(text, ground, 0.12) };
}
