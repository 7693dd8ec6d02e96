import { and, eq, inArray, sql } from "drizzle-orm";
import type { NearestMetacode } from "@/lib/contract/referral-list";
import { referrers, slugDirectory } from "@/lib/platform/db/schema";
import { looksAlike, metacodeIn, oneEditAway } from "@/lib/program/referrers/mistyped";
import { referrerLabel } from "@/lib/program/referrers/record";
import type { Context } from "@/lib/tenants/context";

/** Metacodes have 4 to 32 characters, mistyped ones also one less or one more. */
const LENGTHS = { min: 3, max: 33 };

/**
 * For each mistyped metacode, a referrer whose current or former metacode is one edit away or else looks alike; a paused
 * or ended one only if no active one fits. Looked up by the index over metacodes, however many referrers there are.
 */
export async function nearestMetacodes(
  ctx: Context,
  typed: readonly string[],
): Promise<Map<string, NearestMetacode>> {
  const candidates = new Map<string, { slug: string; by: NearestMetacode["by"] }[]>();
  for (const text of new Set(typed)) {
    const metacode = metacodeIn(text);
    if (metacode.length < LENGTHS.min || metacode.length > LENGTHS.max) continue;
    const edited = oneEditAway(metacode).map((slug) => ({ slug, by: "edit" as const }));
    candidates.set(text, [...edited, ...looksAlike(metacode).map((slug) => ({ slug, by: "look" as const }))]);
  }
  const slugs = [...new Set([...candidates.values()].flat().map(({ slug }) => slug))];
  if (slugs.length === 0) return new Map();
  const { appId, slug, referrerId } = slugDirectory;
  const owned = await ctx.db.orm
    .select({ slug, id: referrerId })
    .from(slugDirectory)
    // One array: a statement takes 65,535 parameters, and 50 long texts have twice as many candidates.
    .where(and(eq(appId, ctx.app.id), sql`${slug} = any(${sql.param(slugs)}::text[])`));
  const ids = owned.map(({ id }) => id);
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.id, ids)));
  const bySlug = new Map(owned.map(({ slug: text, id }) => [text, rows.find((row) => row.id === id)]));
  return new Map(
    [...candidates].flatMap(([text, near]) => {
      const found = near.flatMap(({ slug, by }) => {
        const row = bySlug.get(slug);
        if (!row) return [];
        return {
          ...referrerLabel(row),
          metacode: slug,
          by,
          closed: row.status === "active" ? undefined : row.status,
        };
      });
      const meant = found.find(({ closed }) => !closed) ?? found[0];
      return meant ? [[text, meant] as const] : [];
    }),
  );
}
