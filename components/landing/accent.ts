import { contrast, mix } from "@/lib/contract/colour";

/** What an owner's colour becomes where it would not be readable as it is. */
export interface Accent {
  /** Letters and outlines on the page's own grounds: at least 4.5 to 1. */
  text: string;
  /** The ground of a button: at least 3 to 1 to the page, so that its edge is seen. */
  fill: string;
  /** Letters on `fill`: at least 4.5 to 1. */
  onFill: string;
}

/** The grounds on which the accent stands, as in the style sheet; the hardest of them counts. */
export const GROUNDS = { light: ["#ffffff", "#f4f3ef", "#f7f6f2"], dark: ["#121316", "#1c1e22", "#15171a"] };

const BLACK = "#000000";
const WHITE = "#ffffff";
/** A step small enough that the colour is changed no more than it must. */
const STEPS = 50;

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
