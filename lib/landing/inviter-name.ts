const MAX_NAME = 80;

/** Control characters, line separators, and marks that turn the direction of the text around them. */
const HARMFUL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** A text of a stranger as one plain line of at most 80 code points, or nothing where nothing is left to read. */
export function plainLine(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value.toWellFormed().replace(HARMFUL, " ").replace(/\s+/g, " ").trim();
  const points = [...line];
  const short =
    points.length > MAX_NAME
      ? `${points
          .slice(0, MAX_NAME - 1)
          .join("")
          .trim()}…`
      : line;
  return /[\p{L}\p{N}\p{S}\p{P}]/u.test(short) ? short : undefined;
}

/** Who invites: `metadata.name`, else `metadata.display_name`, else nobody by name. */
export function inviterName(name: unknown, displayName: unknown): string | undefined {
  return plainLine(name) ?? plainLine(displayName);
}
