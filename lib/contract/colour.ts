/** The colour of an app that has picked none. */
export const DEFAULT_ACCENT = "#1d4ed8";

type Rgb = readonly [red: number, green: number, blue: number];

/** The parts of `#rrggbb`, 0 to 255 each. */
function partsOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The contrast ratio of two colours, each `#rrggbb`: 1 to 21, as defined by WCAG 2.2. */
export function contrast(colour: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(colour), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes a share, 0 to 1, of another colour into a colour. */
export function mix(colour: string, other: string, share: number): string {
  const target = partsOf(other);
  const mixed = partsOf(colour).map((part, index) =>
    Math.round(part + ((target[index] ?? 0) - part) * share),
  );
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** An owner's colour, adjusted to be readable. */
export interface Accent {
  /** Text and outlines on the page's backgrounds: at least 4.5 to 1. */
  text: string;
  /** The background of a button: at least 3 to 1 to the page, so that its edge is visible. */
  fill: string;
  /** Text on `fill`: at least 4.5 to 1. */
  onFill: string;
}

/** The backgrounds of the accent in the style sheet of the landing page. All of them count. */
export const GROUNDS = { light: ["#ffffff", "#f4f3ef", "#f7f6f2"], dark: ["#121316", "#1c1e22", "#15171a"] };

const BLACK = "#000000";
const WHITE = "#ffffff";
/** Small steps change the colour as little as possible. */
const STEPS = 50;

/** The colour itself, or mixed with just enough black or white for the contrast to every background. */
function standingOut(color: string, grounds: readonly string[], least: number, toward: string): string {
  for (let step = 0; step < STEPS; step++) {
    const candidate = mix(color, toward, step / STEPS);
    if (grounds.every((ground) => contrast(candidate, ground) >= least)) return candidate;
  }
  return toward;
}

/** Any colour, adjusted to be readable on the landing page in one colour scheme. */
export function accentOf(color: string, scheme: keyof typeof GROUNDS): Accent {
  const grounds = GROUNDS[scheme];
  const toward = scheme === "light" ? BLACK : WHITE;
  const fill = standingOut(color, grounds, 3, toward);
  return {
    text: standingOut(color, grounds, 4.5, toward),
    fill,
    onFill: contrast(fill, WHITE) >= 4.5 ? WHITE : BLACK,
  };
}
