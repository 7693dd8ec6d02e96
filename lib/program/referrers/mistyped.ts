import { normalizeMetacode } from "@/lib/contract/fields";

/** The metacode of a typed text, which may be a whole referral link. */
export const metacodeIn = (typed: string): string =>
  normalizeMetacode(/\/r\/([^/?#]+)/.exec(typed)?.[1] ?? typed);

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** Every text with one wrong, missing or extra character, or two swapped ones: some 600 for eight characters. */
export function oneEditAway(text: string): string[] {
  const found = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    for (const character of ALPHABET) {
      found.add(before + character + after);
      if (after !== "") found.add(before + character + after.slice(1));
    }
    if (after !== "") found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  found.delete(text);
  return [...found];
}

/** Characters that are mistaken for one another in print and in handwriting. */
const LOOK_ALIKES = ["o0", "il1j", "z2", "s5", "b86", "gq9", "uv"];

const MAX_ALIKE = 1_000;

/** Texts in which any number of characters are replaced by look-alikes, such as `g00d1O` for `good10`. */
export function looksAlike(text: string): string[] {
  let found = [""];
  for (const character of text) {
    const group = LOOK_ALIKES.find((alike) => alike.includes(character)) ?? character;
    const characters = found.length * group.length > MAX_ALIKE ? character : group;
    found = found.flatMap((begin) => [...characters].map((next) => begin + next));
  }
  return found.filter((alike) => alike !== text);
}

/** A text in another case or without gaps: keyboards start with a capital, and codes are printed in groups. */
export function respelled(search: string): string[] {
  const joined = search.replace(/[\s-]+/g, "");
  const spellings = [search.toLowerCase(), search.toUpperCase(), joined];
  return [...new Set(spellings)].filter((text) => text !== "" && text !== search);
}
