import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { LandingMessages } from "@/lib/contract/landing-texts";
import { ar } from "@/lib/web/landing/languages/ar";
import { bg } from "@/lib/web/landing/languages/bg";
import { bn } from "@/lib/web/landing/languages/bn";
import { cs } from "@/lib/web/landing/languages/cs";
import { da } from "@/lib/web/landing/languages/da";
import { de } from "@/lib/web/landing/languages/de";
import { el } from "@/lib/web/landing/languages/el";
import { en } from "@/lib/web/landing/languages/en";
import { es } from "@/lib/web/landing/languages/es";
import { fa } from "@/lib/web/landing/languages/fa";
import { fi } from "@/lib/web/landing/languages/fi";
import { fr } from "@/lib/web/landing/languages/fr";
import { he } from "@/lib/web/landing/languages/he";
import { hi } from "@/lib/web/landing/languages/hi";
import { hu } from "@/lib/web/landing/languages/hu";
import { id } from "@/lib/web/landing/languages/id";
import { it } from "@/lib/web/landing/languages/it";
import { ja } from "@/lib/web/landing/languages/ja";
import { ko } from "@/lib/web/landing/languages/ko";
import { ms } from "@/lib/web/landing/languages/ms";
import { nb } from "@/lib/web/landing/languages/nb";
import { nl } from "@/lib/web/landing/languages/nl";
import { pl } from "@/lib/web/landing/languages/pl";
import { ptBR } from "@/lib/web/landing/languages/pt-BR";
import { ptPT } from "@/lib/web/landing/languages/pt-PT";
import { ro } from "@/lib/web/landing/languages/ro";
import { ru } from "@/lib/web/landing/languages/ru";
import { sk } from "@/lib/web/landing/languages/sk";
import { sv } from "@/lib/web/landing/languages/sv";
import { th } from "@/lib/web/landing/languages/th";
import { tr } from "@/lib/web/landing/languages/tr";
import { uk } from "@/lib/web/landing/languages/uk";
import { ur } from "@/lib/web/landing/languages/ur";
import { vi } from "@/lib/web/landing/languages/vi";
import { zhHans } from "@/lib/web/landing/languages/zh-Hans";
import { zhHant } from "@/lib/web/landing/languages/zh-Hant";

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
