import { match } from "@formatjs/intl-localematcher";
import { DAY_MS } from "@/lib/contract/format";
import { isLandingLanguage, LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { Cache } from "@/lib/platform/cache";
import { singleton } from "@/lib/platform/singleton";
import { acceptedLanguages } from "@/lib/web/http/preferences";

/** Browsers send a few languages; the bounds limit the cost of longer lists. */
const [MAX_HEADER, MAX_TAGS] = [500, 10];

/** Headers repeat, and matching one tag takes longer (30 us measured) than the rest of the choice. */
const SIZE = 1_000;

/** Canonical tags of an `Accept-Language`, most wanted first, also in a phone's own form `fr_FR`; malformed ones and `*` are left out. */
function tagsOf(header: string): string[] {
  return acceptedLanguages(header)
    .slice(0, MAX_TAGS)
    .flatMap((tag) => {
      try {
        // Without extensions: Node writes some that it cannot read again.
        return new Intl.Locale(tag.replaceAll("_", "-")).baseName;
      } catch {
        return [];
      }
    });
}

/** The language of a tag without region and script; all Norwegian is one. Node 20 says that `und-US` has none. */
const baseOf = (tag: string) => new Intl.Locale(tag).language?.replace(/^n[no]$/, "nb");

function nearest(tags: string[]): LandingLanguage | undefined {
  // Tag by tag, because the matcher prefers a close match of the second tag to a looser one of the first.
  const found = tags.flatMap((tag) => {
    const language = match([tag], LANDING_TAGS, "und");
    return isLandingLanguage(language) ? [{ language, named: baseOf(tag) === baseOf(language) }] : [];
  });
  // A language that is named comes before another one that readers of an earlier tag often know, such as English for Irish.
  return (found.find(({ named }) => named) ?? found[0])?.language;
}

/** The language nearest to these preferences, each as in an `Accept-Language`; undefined where none is near. */
async function nearestLanguage(first: string | null, others: string | null) {
  const cache = singleton("languages", () => new Cache<LandingLanguage | undefined>(DAY_MS, SIZE));
  const [own = "", accepted = ""] = [first, others].map((text) => (text ?? "").slice(0, MAX_HEADER));
  // No header has a line break. Joined by another character, a `?lang=` could equal the headers of others.
  return cache.get(`${own}\n${accepted}`, async () => nearest(tagsOf(own)) ?? nearest(tagsOf(accepted)));
}

/** The page's language: that of `?lang=`, else the nearest to the browser's preferences, else English. */
export async function chooseLanguage(
  requested: string | null,
  header: string | null,
): Promise<LandingLanguage> {
  if (requested && isLandingLanguage(requested)) return requested;
  return (await nearestLanguage(requested, header)) ?? "en";
}

/** The language that a caller of the API names; undefined without one that we know. */
export const chooseApiLanguage = async (header: string | null): Promise<LandingLanguage | undefined> =>
  header === null ? undefined : nearestLanguage(null, header);
