/** Joiners and variation selectors, which are invisible themselves. */
const INVISIBLE = /\u200c|\u200d|\ufe0e|\ufe0f/gu;

/** Control characters, format characters and lone surrogates, which no name needs. */
const NOISE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * The marks after four in a row, which no language writes: piled up on a letter they were higher than the image. Joiners
 * count as marks, because marks with joiners between them pile up, too.
 */
const SURPLUS_MARKS = /(?<=[\p{Mn}\u200c\u200d]{4})[\p{Mn}\u200c\u200d]+/gu;

const ALPHANUMERIC = /[\p{L}\p{N}]/u;

const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Text as graphemes: characters with the marks that belong to them. */
function graphemesOf(text: string): string[] {
  return [...clusters.segment(text)].map(({ segment }) => segment);
}

/**
 * A name as graphemes that can all be drawn. Emoji and signs that no font has are left out. Undefined if a letter
 * or digit cannot be drawn, because half a name is another name, or if none remains.
 */
export function drawableGraphemes(name: string, covered: ReadonlySet<number>): string[] | undefined {
  const isCovered = (glyph: string) => [...glyph].every((part) => covered.has(part.codePointAt(0) ?? 0));
  const written = name.normalize("NFC").replace(NOISE, "").replace(SURPLUS_MARKS, "");
  const glyphs = graphemesOf(written).map((glyph) =>
    isCovered(glyph) ? glyph : glyph.replace(INVISIBLE, ""),
  );
  if (glyphs.some((glyph) => ALPHANUMERIC.test(glyph) && !isCovered(glyph))) return undefined;
  const text = glyphs.filter(isCovered).join("").replace(/\s+/g, " ").trim();
  return ALPHANUMERIC.test(text) ? graphemesOf(text) : undefined;
}
