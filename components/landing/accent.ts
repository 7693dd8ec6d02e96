import { LRUCache } from "lru-cache";
import { contrast, mix } from "@/lib/contract/colour";

/** An owner's colour, adjusted to be readable. */
export interface Accent {
  /** Text and outlines on the page's backgrounds: at least 4.5 to 1. */
  text: string;
  /** The background of a button: at least 3 to 1 to the page, so that its edge is visible. */
  fill: string;
  /** Text on `fill`: at least 4.5 to 1. */
  onFill: string;
}

/** The backgrounds of the accent in the style sheet. All of them count. */
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

/** Any colour, adjusted to be readable on the page in the given scheme. */
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

const styles = new LRUCache<string, string>({ max: 1_000 });

/** The second style sheet of a page: three values for each scheme. */
export function accentStyle(color: string): string {
  const style = styles.get(color) ?? schemesOf(color);
  styles.set(color, style);
  return style;
}

function schemesOf(color: string): string {
  return `${rules(accentOf(color, "light"))}@media (prefers-color-scheme:dark){${rules(accentOf(color, "dark"))}}`;
}
