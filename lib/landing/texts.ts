import { IntlMessageFormat } from "intl-messageformat";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import {
  fillText,
  LANDING_TEXTS,
  type LandingText,
  type LandingTexts,
  type OwnTexts,
} from "@/lib/contract/landing-texts";
import { MESSAGES } from "@/lib/landing/messages";
import { shared } from "@/lib/shared";

/** What texts are filled with; a page without an invitation has none of it. */
export interface TextValues {
  app?: string;
  inviter?: string | undefined;
  metacode?: string;
  stores?: "both" | "ios" | "android" | "none";
  endsAt?: Date | undefined;
}

const KEYS = Object.keys(LANDING_TEXTS) as LandingText[];
const DAY = 86_400_000;

/** Around a name from outside, so that its direction does not turn the sentence. `displayName` leaves none in a name. */
const isolated = (name: string): string => `\u2068${name}\u2069`;

/** Reading a message costs fifty times as much as filling it (measured), so each language is read once. */
function formats(language: LandingLanguage): Record<LandingText, IntlMessageFormat> {
  const known = shared("landing.formats", () => new Map<string, Record<LandingText, IntlMessageFormat>>());
  const found = known.get(language);
  if (found) return found;
  const read = Object.fromEntries(
    KEYS.map((key) => [key, new IntlMessageFormat(MESSAGES[language][key], language)]),
  ) as Record<LandingText, IntlMessageFormat>;
  known.set(language, read);
  return read;
}

/**
 * The last day on which an invitation counts, in UTC: where the visitor's clock is, a server cannot know. An end at
 * midnight belongs to the day before it, because half of the languages say "up to and including".
 */
function lastDay(language: LandingLanguage, endsAt: Date): string {
  const last = endsAt.getTime() - 1;
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(last);
}

/** Every text of the page in a language, filled; an owner's own text stands in place of the default. */
export function landingTexts(
  language: LandingLanguage,
  values: TextValues,
  own: OwnTexts = {},
  now = Date.now(),
): LandingTexts {
  const { app = "", inviter, metacode = "", stores = "none", endsAt } = values;
  const names = {
    app: isolated(app),
    ...(inviter !== undefined && { inviter: isolated(inviter) }),
    metacode: isolated(metacode),
  };
  const filled = {
    inviter: "",
    ...names,
    stores,
    date: endsAt ? lastDay(language, endsAt) : "",
    days: endsAt ? Math.max(1, Math.ceil((endsAt.getTime() - now) / DAY)) : 0,
  };
  const messages = formats(language);
  const text = (key: LandingText): string => {
    const given = (own as Partial<Record<LandingText, string>>)[key];
    return given === undefined ? String(messages[key].format(filled)) : fillText(given, names);
  };
  return Object.fromEntries(KEYS.map((key) => [key, text(key)])) as LandingTexts;
}
