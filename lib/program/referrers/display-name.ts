import { plainLine } from "@/lib/contract/landing-form";

const MAX_LENGTH = 80;

/**
 * The public name of a referrer: `name` or `display_name` of its metadata, as plain text of at most 80 code points.
 * Undefined without a name.
 */
export function displayName(metadata: { name?: unknown; display_name?: unknown }): string | undefined {
  for (const value of [metadata.name, metadata.display_name]) {
    if (typeof value !== "string") continue;
    const text = plainLine(value);
    if (text) return [...text].slice(0, MAX_LENGTH).join("").trim();
  }
  return undefined;
}
