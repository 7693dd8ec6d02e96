import { z } from "zod";
import { hasControl } from "./text";

const MAX_UID = 255;

/**
 * A user's id in the client's app: 1 to 255 code points, taken as it is. No trim, case fold or normalisation, because
 * it must equal the id that the subscription provider sends, byte for byte. Control characters and lone surrogates
 * are refused: PostgreSQL cannot store the first, and two different ids with the second become one.
 */
export function uidField(name: string) {
  return z
    .string({ error: `${name} is required and must be a string` })
    .superRefine((value, ctx) => {
      const wrong = uidProblem(value);
      if (wrong) ctx.addIssue({ code: "custom", message: `${name} ${wrong}` });
    })
    .meta({
      minLength: 1,
      maxLength: MAX_UID,
      description:
        "The user's id in your app, taken as it is: nothing is trimmed or folded. It must be the id that your subscription provider knows the user by. Control characters are refused.",
    });
}

function uidProblem(value: string): string | undefined {
  // 510 UTF-16 units hold at most 510 and at least 255 code points; longer ones need no count.
  if (value.length > MAX_UID * 2 || (value.length > MAX_UID && [...value].length > MAX_UID)) {
    return `must be at most ${MAX_UID} characters`;
  }
  if (value.trim() === "") return "must not be blank";
  if (hasControl(value)) return "must not contain control characters";
  if (!value.isWellFormed()) return "must be well-formed Unicode";
  return undefined;
}

/** Exactly `ios` or `android`. */
export const platformField = z
  .enum(["ios", "android"], { error: "platform must be 'ios' or 'android'" })
  .meta({ description: "The store that the code belongs to." });

export type Platform = z.output<typeof platformField>;

/**
 * A metacode as a person types it: ASCII spaces around it and ASCII upper case do not count, nor do spaces and hyphens
 * inside. Only ASCII is folded, or the Kelvin sign would pass for a `k`.
 */
export const metacodeField = z
  .string({ error: "metacode is required and must be a string" })
  .transform(normalizeMetacode)
  // What no metacode can be is nobody's: the empty one. PostgreSQL would answer a NUL with an error of its own.
  .transform((folded) => (/^[a-z0-9]{4,32}$/.test(folded) ? folded : ""))
  .meta({
    description:
      "As the referee typed it: upper case, spaces and hyphens do not count. `test123` gives a made-up code, takes none and stores nothing.",
  });

/** Drops ASCII spaces and hyphens and lowers ASCII letters; what is left may still be no metacode. */
export function normalizeMetacode(text: string): string {
  return text.replace(/[\t\n\v\f\r -]+/g, "").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
