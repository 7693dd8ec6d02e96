import { DAY_MS } from "@/lib/contract/format";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import {
  fillText,
  LANDING_TEXTS,
  type LandingText,
  type LandingTexts,
  type OwnTexts,
} from "@/lib/contract/landing-texts";
import { parsedMessages } from "@/lib/program/texts/parsed-messages";
import { MESSAGES } from "@/lib/web/landing/messages";

/** The values for the texts' placeholders; a page without an invitation has none. */
interface TextValues {
  app?: string;
  inviter?: string | undefined;
  metacode?: string;
  stores?: "both" | "ios" | "android" | "none";
  endsAt?: Date | undefined;
}

const KEYS = Object.keys(LANDING_TEXTS) as LandingText[];

/** Isolates a name, so that its writing direction cannot affect the sentence. `displayName` removes such marks from names. */
const isolated = (name: string): string => `\u2068${name}\u2069`;

/**
 * The last day of an invitation, in UTC, because the server does not know the visitor's time zone. An end at midnight
 * belongs to the day before it, because half of the languages say "up to and including".
 */
function lastDay(language: LandingLanguage, endsAt: Date): string {
  const last = endsAt.getTime() - 1;
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(last);
}

/** Every text of the page in a language, filled; an owner's own text replaces the default. */
export function fillLandingTexts(
  language: LandingLanguage,
  values: TextValues,
  own: OwnTexts = {},
  now = Date.now(),
): LandingTexts {
  const { app = "", inviter, metacode = "", stores = "none", endsAt } = values;
  const invited = inviter !== undefined && { inviter: isolated(inviter) };
  const names = { app: isolated(app), ...invited, metacode: isolated(metacode) };
  const filled = {
    inviter: "",
    ...names,
    stores,
    date: endsAt ? lastDay(language, endsAt) : "",
    days: endsAt ? Math.max(1, Math.ceil((endsAt.getTime() - now) / DAY_MS)) : 0,
  };
  const messages = parsedMessages("landing", MESSAGES, language);
  const text = (key: LandingText): string => {
    const replacement = (own as Partial<Record<LandingText, string>>)[key];
    return replacement === undefined ? String(messages[key].format(filled)) : fillText(replacement, names);
  };
  return Object.fromEntries(KEYS.map((key) => [key, text(key)])) as LandingTexts;
}
