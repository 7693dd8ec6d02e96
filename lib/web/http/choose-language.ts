import { match } from "@formatjs/intl-localematcher";
import { isLandingLanguage, LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { acceptedLanguages, parseTag } from "@/lib/web/http/preferences";

/** The choices for recent short headers, which browsers repeat. A flood of other headers only displaces them. */
const recent = new Map<string, LandingLanguage | undefined>();

/** Matches by tag. The library takes 10 to 140 us for each and forgets none; {@link isNear} and {@link shorten} bound them. */
const matches = new Map<string, string>();

const OURS = LANDING_TAGS.map((tag) => new Intl.Locale(tag));
const SCRIPTS = new Set(OURS.map((tag) => tag.maximize().script));
const REGIONAL = new Set(OURS.flatMap(({ language, region }) => (region ? [language] : [])));

/** The nearest of our languages, or `und`. */
function matchOf(tag: string): string {
  const found = matches.get(tag) ?? match([tag], LANDING_TAGS, "und");
  matches.set(tag, found);
  return found;
}

/** Whether the language of a tag is near one of ours. There are 18,252 codes of 2 or 3 letters; longer ones name none. */
function isNear(tag: string): boolean {
  const code = /^[a-z]{2,3}(?=$|[-_])/i.exec(tag)?.[0].toLowerCase();
  return code === "und" || (code !== undefined && matchOf(code) !== "und");
}

/** The parts on which the match depends: the script if we have it, the region if we have regional forms of the language. */
const shorten = ({ language, script, region }: Intl.Locale): string =>
  [language, SCRIPTS.has(script) && script, REGIONAL.has(language) && region].filter(Boolean).join("-");

/** The nearest language, if any, and whether the tag names it. `no`, `nn` and `nb` count as one language. */
function read(text: string): { language: LandingLanguage; named: boolean }[] {
  const tag = parseTag(text);
  if (!tag || tag.baseName === "und") return [];
  const language = matchOf(shorten(tag.maximize()));
  // In Node 20 the language of `und-US` is undefined.
  const named = tag.language?.replace(/^n[no]$/, "nb") === language.split("-", 1)[0];
  return isLandingLanguage(language) ? [{ language, named }] : [];
}

/** The language nearest to a list like an `Accept-Language`; undefined where none is near. */
export function nearestLanguage(list: string | null): LandingLanguage | undefined {
  if (list === null || recent.has(list)) return recent.get(list ?? "");
  const found = acceptedLanguages(list).filter(isNear).flatMap(read);
  // A language that the list names comes before one that is only near an earlier tag, such as English for Irish.
  const language = (found.find(({ named }) => named) ?? found[0])?.language;
  if (recent.size >= 1_000) recent.clear();
  if (list.length < 200) recent.set(list, language);
  return language;
}

/** The page's language: `?lang=`, else the nearest to the browser's preferences, else English. */
export function chooseLanguage(requested: string | null, header: string | null): LandingLanguage {
  if (requested && isLandingLanguage(requested)) return requested;
  return nearestLanguage(requested) ?? nearestLanguage(header) ?? "en";
}
