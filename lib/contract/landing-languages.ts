/** The languages of the landing page, each by its own name, in the order of the switcher. */
export const LANDING_LANGUAGES = {
  de: "Deutsch",
  en: "English",
  ar: "العربية",
} as const;

export type LandingLanguage = keyof typeof LANDING_LANGUAGES;

export const LANDING_TAGS = Object.keys(LANDING_LANGUAGES) as LandingLanguage[];

const RIGHT_TO_LEFT: readonly LandingLanguage[] = ["ar"];

/** Which way a language is written. */
export function directionOf(language: LandingLanguage): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";
}

/** Whether a text is the tag of one of these languages, as written here. */
export function isLandingLanguage(tag: string): tag is LandingLanguage {
  return Object.hasOwn(LANDING_LANGUAGES, tag);
}
