import { match } from "@formatjs/intl-localematcher";
import { Cache } from "@/lib/cache";
import { isLandingLanguage, LANDING_TAGS, type LandingLanguage } from "@/lib/contract/landing-languages";
import { shared } from "@/lib/shared";

const FALLBACK: LandingLanguage = "en";

/** Browsers send a handful; a longer list is somebody's joke. */
const MAX_HEADER = 500;
const MAX_RANGES = 10;

/** Headers repeat, and matching one takes longer (30 us measured) than all else that chooses. */
const SIZE = 1_000;
const DAY = 86_400_000;

const RANGE = /^([a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4})\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?$/i;

const bounded = (text: string | null) => (text ?? "").slice(0, MAX_HEADER);

/** The languages of an `Accept-Language`, the dearest first; what is no tag, or has `q=0`, is left out. */
function wanted(header: string): string[] {
  return header
    .split(",")
    .slice(0, MAX_RANGES)
    .map((part) => RANGE.exec(part.trim()))
    .filter((found) => found !== null)
    .map(([, tag = "", quality]) => ({ tag, quality: Number(quality ?? 1) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

function nearest(tags: string[]): LandingLanguage {
  const sound = tags.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(tag);
    } catch {
      return [];
    }
  });
  // One by one: the matcher lets a near language of the second wish win over a farther one of the first.
  for (const tag of sound) {
    const found = match([tag], LANDING_TAGS, "und");
    if (isLandingLanguage(found)) return found;
  }
  return FALLBACK;
}

/** The page's language: the one that the address asks for, else the nearest to what the browser prefers, else English. */
export async function chooseLanguage(asked: string | null, header: string | null): Promise<LandingLanguage> {
  if (asked && isLandingLanguage(asked)) return asked;
  const cache = shared("landing.choices", () => new Cache<LandingLanguage>(DAY, SIZE));
  const [first, others] = [bounded(asked), bounded(header)];
  return cache.get(`${first};${others}`, async () => nearest([...wanted(first), ...wanted(others)]));
}
