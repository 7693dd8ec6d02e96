const MAX_LENGTH = 80;

/** Control characters and invisible ones that reverse or hide text; joiners of emoji and scripts stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/**
 * The public name of a referrer: `name` or `display_name` of its metadata, as plain text of at most 80 code points.
 * Undefined without a name.
 */
export function displayName(metadata: { name?: unknown; display_name?: unknown }): string | undefined {
  for (const value of [metadata.name, metadata.display_name]) {
    if (typeof value !== "string") continue;
    const text = value.replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
    if (text) return [...text].slice(0, MAX_LENGTH).join("").trim();
  }
  return undefined;
}
