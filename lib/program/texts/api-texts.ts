import type { ApiMessages, ApiText } from "@/lib/contract/api-texts";
import { directionOf, type LandingLanguage } from "@/lib/contract/landing-languages";
import { fillText, isApiText, lacksInviter, type OwnTexts } from "@/lib/contract/landing-texts";
import type { Context } from "@/lib/tenants/context";
import { ASIAN } from "./asian";
import { EASTERN } from "./eastern";
import { NORTHERN_AND_WESTERN } from "./northern-and-western";
import { cachedOwnTexts } from "./own-texts";
import { parsedMessages } from "./parsed-messages";

/** Every text of the API in every language, as ICU messages. */
export const API_MESSAGES: Record<LandingLanguage, ApiMessages> = {
  ...NORTHERN_AND_WESTERN,
  ...EASTERN,
  ...ASIAN,
};

/** The language of a response and the owner's texts in it, as they are stored with the response of an Idempotency-Key. */
export interface OwnApiTexts {
  language: LandingLanguage;
  own: OwnTexts;
}

/** The texts for a caller who names no language, in an app without texts of its own. */
export const ENGLISH: OwnApiTexts = { language: "en", own: {} };

/** The texts in a language, with the app's own, at most 5 seconds old; null for English without any, which is not stored. */
export async function textsIn(ctx: Context, language: LandingLanguage = "en"): Promise<OwnApiTexts | null> {
  const stored = await cachedOwnTexts(ctx.app.id, language, ctx.db);
  // Texts that lack the inviter were stored before the form refused them.
  const sent = Object.entries(stored).filter(([key, text]) => isApiText(key) && !lacksInviter(key, text));
  const own = Object.fromEntries(sent);
  return language === "en" && Object.keys(own).length === 0 ? null : { language, own };
}

type Values = Readonly<Record<string, string | number>>;

/** The owner's text, filled; undefined where the owner wrote none in this language. */
export function ownText({ own }: OwnApiTexts, key: ApiText, values: Readonly<Record<string, string>> = {}) {
  const text = (own as Partial<Record<ApiText, string>>)[key];
  return text === undefined ? undefined : fillText(text, values);
}

/** The built-in text in the language, filled. */
export const builtInText = ({ language }: OwnApiTexts, key: ApiText, values: Values = {}): string =>
  String(parsedMessages("api", API_MESSAGES, language)[key].format(values));

/** A name in a text; isolated in a right-to-left text, so that its direction does not reorder the sentence. */
export const nameIn = ({ language }: OwnApiTexts, name: string): string =>
  directionOf(language) === "rtl" ? `\u2068${name}\u2069` : name;
