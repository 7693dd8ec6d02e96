import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { LandingMessages } from "@/lib/contract/landing-texts";
import { ar } from "@/lib/landing/languages/ar";
import { de } from "@/lib/landing/languages/de";
import { en } from "@/lib/landing/languages/en";

/** Every text of the landing page in every language, as ICU messages. */
export const MESSAGES: Record<LandingLanguage, LandingMessages> = {
  ar,
  de,
  en,
};
