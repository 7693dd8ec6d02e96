import { LRUCache } from "lru-cache";
import { type Accent, accentOf } from "@/lib/contract/colour";

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
