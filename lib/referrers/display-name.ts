const MAX_LENGTH = 80;

/** Control characters, and the invisible ones that turn the direction of text or hide it; joiners of emoji and letters stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/**
 * The name a referrer wants to be seen under: `name` or `display_name` of its metadata, as plain text of at most 80
 * code points. Undefined where there is none.
 */
export function displayName(metadata: { name?: unknown; display_name?: unknown }): string | undefined {
  for (const value of [metadata.name, metadata.display_name]) {
    if (typeof value !== "string") continue;
    const text = value.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
    if (text) return [...text].slice(0, MAX_LENGTH).join("").trim();
  }
  return undefined;
}
