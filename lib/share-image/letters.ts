/** They join or part letters, or choose a picture's style, and leave no mark themselves. */
const SILENT = /\u200c|\u200d|\ufe0e|\ufe0f/gu;

/** What no name needs: control and format marks, and halves of characters. */
const NOISE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

const LETTER = /[\p{L}\p{N}]/u;

const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Text as its letters, each with the marks that belong to it. */
function lettersOf(text: string): string[] {
  return [...clusters.segment(text)].map(({ segment }) => segment);
}

/**
 * A name as letters of which every one can be drawn. Pictures and signs that no font has are left out; nothing where a
 * letter or digit is missing, because half a name is another name, and nothing where no letter is left.
 */
export function drawable(name: string, covered: ReadonlySet<number>): string[] | undefined {
  const has = (letter: string) => [...letter].every((part) => covered.has(part.codePointAt(0) ?? 0));
  const letters = lettersOf(name.normalize("NFC").replace(NOISE, ""));
  const kept = letters.map((letter) => (has(letter) ? letter : letter.replace(SILENT, "")));
  if (kept.some((letter) => LETTER.test(letter) && !has(letter))) return undefined;
  const text = kept.filter(has).join("").replace(/\s+/g, " ").trim();
  return LETTER.test(text) ? lettersOf(text) : undefined;
}
