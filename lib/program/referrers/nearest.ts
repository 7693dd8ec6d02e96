import { and, eq, sql } from "drizzle-orm";
import type { NearestMetacode } from "@/lib/contract/referral-list";
import { referrers } from "@/lib/platform/db/schema";
import { looksAlike, metacodeIn, oneEditAway } from "@/lib/program/referrers/mistyped";
import { referrerLabel } from "@/lib/program/referrers/record";
import type { Context } from "@/lib/tenants/context";

/** Metacodes have 4 to 32 characters, mistyped ones also one less or one more. */
const LENGTHS = { min: 3, max: 33 };

/**
 * For each mistyped metacode, a referrer whose metacode is one edit away, or else looks alike; one who is paused or has ended
 * only if no active one has. The candidates are looked up by the index over metacodes, so the number of referrers does not matter.
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
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(
      and(
        eq(referrers.appId, ctx.app.id),
        // A statement takes 65,535 parameters, and 50 long texts have twice as many candidates.
        sql`${referrers.slug} = any(${sql.param(slugs)}::text[])`,
      ),
    );
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  return new Map(
    [...candidates].flatMap(([text, near]) => {
      const found = near.flatMap(({ slug, by }) => {
        const row = bySlug.get(slug);
        if (!row) return [];
        return { ...referrerLabel(row), by, closed: row.status === "active" ? undefined : row.status };
      });
      const meant = found.find(({ closed }) => !closed) ?? found[0];
      return meant ? [[text, meant] as const] : [];
    }),
  );
}
