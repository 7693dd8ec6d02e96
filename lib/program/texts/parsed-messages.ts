import { IntlMessageFormat } from "intl-messageformat";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { singleton } from "@/lib/platform/singleton";

/**
 * The parsed messages of a set in a language. Parsing a message takes fifty times as long as formatting it (measured), so each
 * language of a set is parsed once.
 */
export function parsedMessages<Key extends string>(
  set: string,
  messages: Record<LandingLanguage, Record<Key, string>>,
  language: LandingLanguage,
): Record<Key, IntlMessageFormat> {
  const parsed = singleton(
    `messages.${set}`,
    () => new Map<LandingLanguage, Record<Key, IntlMessageFormat>>(),
  );
  const cached = parsed.get(language);
  if (cached) return cached;
  const entries = Object.entries<string>(messages[language]).map(([key, message]) => [
    key,
    new IntlMessageFormat(message, language),
  ]);
  const fresh = Object.fromEntries(entries) as Record<Key, IntlMessageFormat>;
  parsed.set(language, fresh);
  return fresh;
}
