import { and, eq, sql } from "drizzle-orm";
import type { NearestMetacode } from "@/lib/contract/referral-list";
import { referrers } from "@/lib/platform/db/schema";
import { looksAlike, metacodeIn, oneEditAway } from "@/lib/program/referrers/mistyped";
import { referrerLabel } from "@/lib/program/referrers/record";
import type { Context } from "@/lib/tenants/context";

/** Metacodes have 4 to 32 characters, mistyped ones also one less or one more. */
const LENGTHS = { min: 3, max: 33 };

/**
 * For each mistyped metacode, an active referrer whose metacode is one edit away, or else looks alike. The candidates are
 * looked up by the index over metacodes, so the number of referrers does not matter.
 */
export async function nearestMetacodes(
  ctx: Context,
  typed: readonly string[],
): Promise<Map<string, NearestMetacode>> {
  const candidates = new Map<string, { edited: string[]; alike: string[] }>();
  for (const text of new Set(typed)) {
    const metacode = metacodeIn(text);
    if (metacode.length < LENGTHS.min || metacode.length > LENGTHS.max) continue;
    candidates.set(text, { edited: oneEditAway(metacode), alike: looksAlike(metacode) });
  }
  const slugs = [...new Set([...candidates.values()].flatMap(({ edited, alike }) => [...edited, ...alike]))];
  if (slugs.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(
      and(
        ...[eq(referrers.appId, ctx.app.id), eq(referrers.status, "active")],
        // A statement takes 65,535 parameters, and 50 long texts have twice as many candidates.
        sql`${referrers.slug} = any(${sql.param(slugs)}::text[])`,
      ),
    );
  const bySlug = new Map(rows.map((row) => [row.slug, referrerLabel(row)]));
  const first = (near: string[]) => near.flatMap((slug) => bySlug.get(slug) ?? [])[0];
  return new Map(
    [...candidates].flatMap(([text, { edited, alike }]) => {
      const label = first(edited);
      const other = label ?? first(alike);
      return other ? [[text, { ...other, by: label ? "edit" : "look" }] as const] : [];
    }),
  );
}
