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

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1, no difference, to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function mix(colour: string, other: string, part: number): string {
  const target = channels(other);
  const mixed = channels(colour).map((value, index) =>
    Math.round(value + ((target[index] ?? 0) - value) * part),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
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
