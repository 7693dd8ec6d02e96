import { z } from "zod";
import { formatNumber, PLATFORMS } from "./format";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a text contains control characters, those of Latin-1 included. */
const hasControl = (text: string): boolean => CONTROL.test(text);

/** Whether a text has one line that PostgreSQL can store. */
export const isLine = (text: string): boolean => !hasControl(text) && text.isWellFormed();

/** Marks that show the text around them in another order. Right-to-left keyboards add them unseen. */
const ORDER_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name as it may appear in the subject of an email: without marks of order, and with a space for each line end. */
export const cleanName = (text: string): string =>
  text
    .replace(ORDER_MARKS, "")
    .replace(/[\u2028\u2029]/g, " ")
    .trim();

/** A text on one line in the order of its characters. */
export const oneLine = (text: string): string =>
  cleanName(text)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();

export const MAX_UID = 255;
export const MAX_NAME = 80;

/**
 * A user's id in the client's app: 1 to 255 code points, not trimmed, folded or normalised, because it must equal the
 * id that the subscription provider sends. Refuses control characters, which PostgreSQL cannot store, and lone
 * surrogates, which would make two different ids equal.
 */
export function uidField(name: string) {
  return z
    .string({ error: `${name} is required and must be a string` })
    .superRefine((value, ctx) => {
      const problem = uidProblem(value);
      if (problem) ctx.addIssue({ code: "custom", message: `${name} ${problem}` });
    })
    .meta({
      minLength: 1,
      maxLength: MAX_UID,
      description:
        "The user's id in your app, used unchanged: nothing is trimmed or folded. It must be the id by which your subscription provider knows the user. Control characters are refused.",
    });
}

function uidProblem(value: string): string | undefined {
  // 510 UTF-16 units hold at most 510 and at least 255 code points; longer ones need no count.
  if (value.length > MAX_UID * 2 || (value.length > MAX_UID && [...value].length > MAX_UID)) {
    return `must be at most ${MAX_UID} characters`;
  }
  if (value.trim() === "") return "must not be blank";
  if (hasControl(value)) return "must not contain control characters";
  return value.isWellFormed() ? undefined : "must be well-formed Unicode";
}

/** Exactly `ios` or `android`. */
export const platformField = z
  .enum(PLATFORMS, { error: "platform must be 'ios' or 'android'" })
  .meta({ description: "The store that the code belongs to." });

export type Platform = z.output<typeof platformField>;

/**
 * A metacode as a referee types it: spaces, hyphens, white space around it and upper case do not count. Only ASCII is
 * folded, or the Kelvin sign would pass for a `k`.
 */
export const metacodeField = z
  .string({ error: "metacode is required and must be a string" })
  .transform(normalizeMetacode)
  // Text that cannot be a metacode becomes the empty one, which no referrer has: PostgreSQL fails on a NUL.
  .transform((folded) => (/^[a-z0-9]{4,32}$/.test(folded) ? folded : ""))
  .meta({
    description:
      "As the referee typed it: upper case, spaces and hyphens do not matter. `test123` returns a sample code, takes no code from a pool and stores nothing.",
  });

/** A metacode that an app owner chooses: 4 to 32 of `[a-z0-9]` after {@link normalizeMetacode}. */
export const vanityField = z
  .string({ error: "metacode is required" })
  .transform(normalizeMetacode)
  .refine((text) => /^[a-z0-9]{4,32}$/.test(text), {
    error: "metacode must be 4 to 32 letters a-z and digits",
  });

/** Trims ASCII white space (the look-behind keeps that linear), drops spaces and hyphens, lowers ASCII: not always a metacode. */
export function normalizeMetacode(text: string): string {
  const trimmed = text.replace(/^[\t\n\v\f\r ]+|(?<![\t\n\v\f\r ])[\t\n\v\f\r ]+$/g, "");
  return trimmed.replace(/[ -]+/g, "").replace(/[A-Z]/g, (capital) => capital.toLowerCase());
}

function lineField(field: string, clean: (text: string) => string) {
  return z
    .string({ error: `${field} is required` })
    .overwrite(clean)
    .min(1, { error: `${field} must not be blank` })
    .max(MAX_NAME, { error: `${field} must be at most ${MAX_NAME} characters` })
    .refine(isLine, { error: `${field} must not contain control characters` });
}

/** The name of an app, workspace, pool and so on, or a reason: 1 to 80 characters on one line, trimmed. */
export const nameField = (field: string) => lineField(field, cleanName);

/** The store's name of an offer, trimmed: it keeps its marks of order, because another name would be another offer. */
export const offerField = (field: string) => lineField(field, (text) => text.trim());

/** A name on one line that may be left empty. */
export const optionalNameField = (field: string, max: number) =>
  z
    .string()
    .overwrite(cleanName)
    .max(max, `${field} must be at most ${max} characters`)
    .refine(isLine, `${field} must not contain control characters`)
    .default("");

/** A whole number from `min` to `max`; the error names the field and the range. */
export function wholeField(field: string, min: number, max: number) {
  const error = `${field} must be a whole number from ${formatNumber(min)} to ${formatNumber(max)}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** {@link wholeField} from a form, where every value is text. */
export function wholeText(field: string, min: number, max: number) {
  const read = (value: unknown) =>
    typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return z.preprocess(read, wholeField(field, min, max));
}

/** A box of a form, which sends nothing while it is not ticked. */
export const checkbox = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be compared with a `uuid` column, which raises an error for any other text. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The first UUID within a text, such as a response that was pasted whole. */
export const uuidIn = (text: string): string | undefined =>
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i.exec(text)?.[0];

/** A UUID in upper or lower case; the error names the field. */
export function uuidField(name: string) {
  return z
    .string({ error: `${name} must be a UUID` })
    .regex(UUID, { error: `${name} must be a UUID` })
    .transform((value) => value.toLowerCase())
    .meta({ format: "uuid" });
}

/** The field with which every form within an app names the app. */
export const inApp = { appId: uuidField("appId") };

/** A day in an address, `YYYY-MM-DD`, of the years 1000 to 2999; any other text counts as none. */
export const listDay = z.iso.date().regex(/^[12]/).optional().catch(undefined);

/** The first and the last day of a range in order, whichever was entered first. */
export const daysInOrder = <Days extends { from?: string | undefined; to?: string | undefined }>(
  days: Days,
) => (days.from && days.to && days.from > days.to ? { ...days, from: days.to, to: days.from } : days);

/** The cursor of a dashboard list in an address bar. An invalid one starts at the first page. */
export const listCursor = z.string().max(4_000).optional().catch(undefined);
