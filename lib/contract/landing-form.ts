import { z } from "zod";
import { LANDING_TAGS } from "./landing-languages";
import {
  lacksInviter,
  OWN_TEXT_KEYS,
  OWN_TEXTS,
  type OwnTextKey,
  placeholdersOf,
  unknownPlaceholder,
} from "./landing-texts";

/**
 * Control characters and invisible ones that reverse or hide text, except joiners of emoji and letters, and the tags
 * that make a black flag that of England, Scotland or Wales.
 */
const INVISIBLE =
  /(?![\u200c\u200d]|(?<=\u{1f3f4}[\u{e0061}-\u{e007a}]{0,5})[\u{e0061}-\u{e007a}\u{e007f}])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/** A text on one line without invisible characters. */
export const plainLine = (text: string): string => text.replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();

/** One of the texts; blank means the default. */
function ownText(key: OwnTextKey) {
  const { maxLength } = OWN_TEXTS[key];
  const known = placeholdersOf(key).map((name) => `{${name}}`);
  return z
    .string({ error: `${key} must be text` })
    .max(4 * maxLength, { error: `${key} must be at most ${maxLength} characters` })
    .transform(plainLine)
    .refine((text) => text.isWellFormed(), { error: `${key} must be text` })
    .refine((text) => [...text].length <= maxLength, {
      error: `${key} must be at most ${maxLength} characters`,
    })
    .refine((text) => unknownPlaceholder(key, text) === undefined, {
      error: `${key} may contain no placeholders other than ${known.join(", ")}`,
    })
    .refine((text) => text === "" || !lacksInviter(key, text), { error: `${key} must contain {inviter}` })
    .optional();
}

/** All of an app's own texts in one language; a blank or missing text restores the default. */
export const ownTextsInput = z.object({
  language: z.enum(LANDING_TAGS, { error: "language must be one of the landing page" }),
  ...(Object.fromEntries(OWN_TEXT_KEYS.map((key) => [key, ownText(key)])) as Record<
    OwnTextKey,
    ReturnType<typeof ownText>
  >),
});

export type OwnTextsInput = z.output<typeof ownTextsInput>;
