const BEFORE = 40;
const LENGTH = 160;

export interface Marked {
  text: string;
  hit: boolean;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text split where one of the words begins in it. */
export function markWords(text: string, words: readonly string[]): Marked[] {
  if (words.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`((?<![\\p{L}\\p{N}])(?:${words.map(escaped).join("|")}))`, "giu");
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}

/** The part of a text around the first of the words, cut at blanks, with the words marked. */
export function excerptOf(text: string, words: readonly string[]): Marked[] {
  const hits = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = hits.length > 0 ? Math.min(...hits) : 0;
  const from = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const end = text.length <= from + LENGTH ? text.length : text.lastIndexOf(" ", from + LENGTH);
  const cut = text.slice(from, Math.max(end, from + 1));
  return markWords(`${from > 0 ? "… " : ""}${cut}${end < text.length ? " …" : ""}`, words);
}
