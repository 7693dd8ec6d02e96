/** What an owner's colour becomes where it would not be readable as it is. */
export interface Accent {
  /** Letters and outlines on the page's own grounds: at least 4.5 to 1. */
  text: string;
  /** The ground of a button: at least 3 to 1 to the page, so that its edge is seen. */
  fill: string;
  /** Letters on `fill`: at least 4.5 to 1. */
  onFill: string;
}

type Rgb = readonly [number, number, number];

/** The grounds on which the accent stands, as in the style sheet; the hardest of them counts. */
export const GROUNDS = { light: ["#ffffff", "#f4f3ef", "#f7f6f2"], dark: ["#121316", "#1c1e22", "#15171a"] };

const BLACK = "#000000";
const WHITE = "#ffffff";
/** A step small enough that the colour is changed no more than it must. */
const STEPS = 50;

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminance(color: string): number {
  const [red, green, blue] = parse(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** How far two colours stand apart, 1 to 21, as WCAG 2.2 counts it. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function mix(color: string, toward: string, share: number): string {
  const target = parse(toward);
  const parts = parse(color).map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The colour itself, or as little of black or white in it as makes it stand out from every ground. */
function standingOut(color: string, grounds: readonly string[], least: number, toward: string): string {
  for (let step = 0; step < STEPS; step++) {
    const candidate = mix(color, toward, step / STEPS);
    if (grounds.every((ground) => contrast(candidate, ground) >= least)) return candidate;
  }
  return toward;
}

/** An owner's colour, readable on the page in the given scheme whatever was picked. */
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

function rules({ text, fill, onFill }: Accent): string {
  return `:root{--accent:${text};--fill:${fill};--on-fill:${onFill}}`;
}

/** The second style sheet of a page: three values for each scheme. */
export function accentStyle(color: string): string {
  return `${rules(accentOf(color, "light"))}@media (prefers-color-scheme:dark){${rules(accentOf(color, "dark"))}}`;
}
