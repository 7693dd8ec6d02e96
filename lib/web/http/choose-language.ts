import { match } from "@formatjs/intl-localematcher";
import { DAY_MS } from "@/lib/contract/format";
import { isLandingLanguage, LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { Cache } from "@/lib/platform/cache";
import { singleton } from "@/lib/platform/singleton";
import { acceptedLanguages } from "@/lib/web/http/preferences";

const FALLBACK: LandingLanguage = "en";

/** Browsers send a few languages; the bounds limit the cost of longer lists. */
const MAX_HEADER = 500;
const MAX_TAGS = 10;

/** Headers repeat, and matching one tag takes longer (30 us measured) than the rest of the choice. */
const SIZE = 1_000;

const bounded = (text: string | null) => (text ?? "").slice(0, MAX_HEADER);

/** Canonical tags of an `Accept-Language`, most wanted first; malformed ones and `*` are left out. */
function tagsOf(header: string): string[] {
  return acceptedLanguages(header)
    .slice(0, MAX_TAGS)
    .flatMap((tag) => {
      try {
        return Intl.getCanonicalLocales(tag);
      } catch {
        return [];
      }
    });
}

function nearest(tags: string[]): LandingLanguage | undefined {
  // Tag by tag, because the matcher prefers a close match of the second tag to a looser one of the first.
  for (const tag of tags) {
    const language = match([tag], LANDING_TAGS, "und");
    if (isLandingLanguage(language)) return language;
  }
  return undefined;
}

/** The language nearest to these preferences, each as in an `Accept-Language`; undefined where none is near. */
async function nearestLanguage(first: string | null, others: string | null) {
  const cache = singleton("languages", () => new Cache<LandingLanguage | undefined>(DAY_MS, SIZE));
  const [own, accepted] = [bounded(first), bounded(others)];
  return cache.get(`${own};${accepted}`, async () => nearest([...tagsOf(own), ...tagsOf(accepted)]));
}

/** The page's language: that of `?lang=`, else the nearest to the browser's preferences, else English. */
export async function chooseLanguage(
  requested: string | null,
  header: string | null,
): Promise<LandingLanguage> {
  if (requested && isLandingLanguage(requested)) return requested;
  return (await nearestLanguage(requested, header)) ?? FALLBACK;
}

/** The language that a caller of the API names; undefined without one that we know. */
export const chooseApiLanguage = async (header: string | null): Promise<LandingLanguage | undefined> =>
  header === null ? undefined : nearestLanguage(null, header);
