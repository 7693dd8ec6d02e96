import { z } from "zod";
import { LANDING_TAGS } from "./landing-languages";
import {
  OWN_TEXT_KEYS,
  OWN_TEXTS,
  type OwnTextKey,
  placeholdersOf,
  strangePlaceholder,
} from "./landing-texts";

/** Control characters, and the invisible ones that turn or hide text; joiners of emoji and letters stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;

/** One text on one line, without what is not seen; blank means the default. */
function ownText(key: OwnTextKey) {
  const { most } = OWN_TEXTS[key];
  const known = placeholdersOf(key).map((name) => `{${name}}`);
  return z
    .string({ error: `${key} must be text` })
    .max(4 * most, { error: `${key} must be at most ${most} characters` })
    .transform((text) => text.replace(UNSEEN, " ").replace(/\s+/g, " ").trim())
    .refine((text) => text.isWellFormed(), { error: `${key} must be text` })
    .refine((text) => [...text].length <= most, { error: `${key} must be at most ${most} characters` })
    .refine((text) => strangePlaceholder(key, text) === undefined, {
      error: `${key} must have nothing in braces but ${known.join(", ")}`,
    })
    .optional();
}

/** An app's own texts in one language, all of them: what is blank or missing is the default again. */
export const ownTextsInput = z.object({
  language: z.enum(LANDING_TAGS, { error: "language must be one of the landing page" }),
  ...(Object.fromEntries(OWN_TEXT_KEYS.map((key) => [key, ownText(key)])) as Record<
    OwnTextKey,
    ReturnType<typeof ownText>
  >),
});

export type OwnTextsInput = z.output<typeof ownTextsInput>;
