import { and, eq } from "drizzle-orm";
import { Cache } from "@/lib/cache";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { OwnTexts } from "@/lib/contract/landing-texts";
import { type Db, database } from "@/lib/db/client";
import { landingTexts } from "@/lib/db/schema";
import { shared } from "@/lib/shared";

/** As long as an invitation is kept: a change takes this long to show. */
const TTL = 5_000;
const SIZE = 2_000;

/** An app's own texts in a language, as they are stored now. */
export async function readOwnTexts(db: Db, appId: string, language: LandingLanguage): Promise<OwnTexts> {
  const rows = await db.orm
    .select({ key: landingTexts.key, text: landingTexts.text })
    .from(landingTexts)
    .where(and(eq(landingTexts.appId, appId), eq(landingTexts.language, language)));
  return Object.fromEntries(rows.map(({ key, text }) => [key, text]));
}

/** The same for the page itself, at most 5 seconds old. */
export async function findOwnTexts(
  appId: string,
  language: LandingLanguage,
  db: Db = database(),
): Promise<OwnTexts> {
  const cache = shared("landing.texts", () => new Cache<OwnTexts>(TTL, SIZE));
  return cache.get(`${appId} ${language}`, () => readOwnTexts(db, appId, language));
}
