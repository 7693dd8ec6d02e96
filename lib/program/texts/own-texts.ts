import { and, count, eq } from "drizzle-orm";
import type { OwnTextsInput } from "@/lib/contract/landing-form";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import { OWN_TEXT_KEYS, type OwnTexts } from "@/lib/contract/landing-texts";
import { Cache } from "@/lib/platform/cache";
import { type Db, database } from "@/lib/platform/db/client";
import { landingTexts } from "@/lib/platform/db/schema";
import { singleton } from "@/lib/platform/singleton";
import { appSubject, lockApp } from "@/lib/tenants/apps/app";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/** Milliseconds until a change shows; the same as for an invitation. */
const TTL = 5_000;
const SIZE = 2_000;

/** An app's own texts in a language, as currently stored. */
export async function loadOwnTexts(db: Db, appId: string, language: LandingLanguage): Promise<OwnTexts> {
  const rows = await db.orm
    .select({ key: landingTexts.key, text: landingTexts.text })
    .from(landingTexts)
    .where(and(eq(landingTexts.appId, appId), eq(landingTexts.language, language)));
  return Object.fromEntries(rows.map(({ key, text }) => [key, text]));
}

/** {@link loadOwnTexts} for the page, at most 5 seconds old. */
export async function cachedOwnTexts(
  appId: string,
  language: LandingLanguage,
  db: Db = database(),
): Promise<OwnTexts> {
  const cache = singleton("landing.texts", () => new Cache<OwnTexts>(TTL, SIZE));
  return cache.get(`${appId} ${language}`, () => loadOwnTexts(db, appId, language));
}

/** The number of own texts of an app by language; languages without one are missing. */
export async function countOwnTexts(ctx: Context): Promise<Record<string, number>> {
  const rows = await ctx.db.orm
    .select({ language: landingTexts.language, texts: count() })
    .from(landingTexts)
    .where(eq(landingTexts.appId, ctx.app.id))
    .groupBy(landingTexts.language);
  return Object.fromEntries(rows.map(({ language, texts }) => [language, texts]));
}

/**
 * Replaces an app's own texts in one language; blank texts restore the defaults. The page shows them within 10 seconds,
 * because invitation and texts are cached for 5 each. Throws CONFLICT.
 */
export async function updateOwnTexts(ctx: Context, { language, ...texts }: OwnTextsInput): Promise<void> {
  const { id } = ctx.app;
  const wanted: OwnTexts = Object.fromEntries(
    OWN_TEXT_KEYS.flatMap((key) => (texts[key] ? [[key, texts[key]]] : [])),
  );
  await ctx.db.transaction(async (db) => {
    // Two simultaneous updates would each restore what the other removed.
    await lockApp({ ...ctx, db });
    const before = await loadOwnTexts(db, id, language);
    const auditedName = (key: string) => `${language} ${key}`;
    await refuseUndoing({ ...ctx, db }, id, before, wanted, auditedName);
    const changes = changesOf(before, wanted);
    const changed = Object.keys(changes.after);
    if (changed.length === 0) return;
    await db.orm
      .delete(landingTexts)
      .where(and(eq(landingTexts.appId, id), eq(landingTexts.language, language)));
    const rows = Object.entries(wanted).map(([key, text]) => ({ appId: id, language, key, text }));
    if (rows.length > 0) await db.orm.insert(landingTexts).values(rows);
    const audited = (texts: Record<string, unknown>) =>
      Object.fromEntries(changed.map((key) => [auditedName(key), texts[key]]));
    await recordAudit(db, ctx, {
      action: "app.landing_texts_changed",
      ...appSubject(ctx.app),
      before: audited(changes.before),
      after: audited(changes.after),
    });
  });
}
