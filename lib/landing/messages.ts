import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { LandingMessages } from "@/lib/contract/landing-texts";
import { ar } from "@/lib/landing/languages/ar";
import { bg } from "@/lib/landing/languages/bg";
import { bn } from "@/lib/landing/languages/bn";
import { cs } from "@/lib/landing/languages/cs";
import { da } from "@/lib/landing/languages/da";
import { de } from "@/lib/landing/languages/de";
import { el } from "@/lib/landing/languages/el";
import { en } from "@/lib/landing/languages/en";
import { es } from "@/lib/landing/languages/es";
import { fa } from "@/lib/landing/languages/fa";
import { fi } from "@/lib/landing/languages/fi";
import { fr } from "@/lib/landing/languages/fr";
import { he } from "@/lib/landing/languages/he";
import { hi } from "@/lib/landing/languages/hi";
import { hu } from "@/lib/landing/languages/hu";
import { id } from "@/lib/landing/languages/id";
import { it } from "@/lib/landing/languages/it";
import { ja } from "@/lib/landing/languages/ja";
import { ko } from "@/lib/landing/languages/ko";
import { ms } from "@/lib/landing/languages/ms";
import { nb } from "@/lib/landing/languages/nb";
import { nl } from "@/lib/landing/languages/nl";
import { pl } from "@/lib/landing/languages/pl";
import { ptBR } from "@/lib/landing/languages/pt-BR";
import { ptPT } from "@/lib/landing/languages/pt-PT";
import { ro } from "@/lib/landing/languages/ro";
import { ru } from "@/lib/landing/languages/ru";
import { sk } from "@/lib/landing/languages/sk";
import { sv } from "@/lib/landing/languages/sv";
import { th } from "@/lib/landing/languages/th";
import { tr } from "@/lib/landing/languages/tr";
import { uk } from "@/lib/landing/languages/uk";
import { ur } from "@/lib/landing/languages/ur";
import { vi } from "@/lib/landing/languages/vi";
import { zhHans } from "@/lib/landing/languages/zh-Hans";
import { zhHant } from "@/lib/landing/languages/zh-Hant";

/** Every text of the landing page in every language, as ICU messages. */
export const MESSAGES: Record<LandingLanguage, LandingMessages> = {
  ar,
  bg,
  bn,
  cs,
  da,
  de,
  el,
  en,
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hu,
  id,
  it,
  ja,
  ko,
  ms,
  nb,
  nl,
  pl,
  "pt-BR": ptBR,
  "pt-PT": ptPT,
  ro,
  ru,
  sk,
  sv,
  th,
  tr,
  uk,
  ur,
  vi,
  "zh-Hans": zhHans,
  "zh-Hant": zhHant,
};
