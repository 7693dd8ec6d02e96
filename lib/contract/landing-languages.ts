/** The languages of the landing page, each by its own name, in the order of the switcher. */
export const LANDING_LANGUAGES = {
  bg: "Български",
  bn: "বাংলা",
  cs: "Čeština",
  da: "Dansk",
  de: "Deutsch",
  el: "Ελληνικά",
  en: "English",
  es: "Español",
  fi: "Suomi",
  fr: "Français",
  hi: "हिन्दी",
  hu: "Magyar",
  id: "Bahasa Indonesia",
  it: "Italiano",
  ms: "Bahasa Melayu",
  nb: "Norsk bokmål",
  nl: "Nederlands",
  pl: "Polski",
  "pt-BR": "Português (Brasil)",
  "pt-PT": "Português (Portugal)",
  ro: "Română",
  ru: "Русский",
  sk: "Slovenčina",
  sv: "Svenska",
  th: "ไทย",
  tr: "Türkçe",
  uk: "Українська",
  vi: "Tiếng Việt",
  ja: "日本語",
  ko: "한국어",
  "zh-Hans": "简体中文",
  "zh-Hant": "繁體中文",
  ar: "العربية",
  fa: "فارسی",
  he: "עברית",
  ur: "اردو",
} as const;

export type LandingLanguage = keyof typeof LANDING_LANGUAGES;

export const LANDING_TAGS = Object.keys(LANDING_LANGUAGES) as LandingLanguage[];

const RIGHT_TO_LEFT: readonly LandingLanguage[] = ["ar", "fa", "he", "ur"];

/** The writing direction of a language. */
export function directionOf(language: LandingLanguage): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";
}

/** Whether a text is the tag of one of these languages, as written here. */
export function isLandingLanguage(tag: string): tag is LandingLanguage {
  return Object.hasOwn(LANDING_LANGUAGES, tag);
}
