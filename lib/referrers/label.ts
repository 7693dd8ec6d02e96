import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { ReferrerLabel } from "@/lib/contract/referral-list";
import { referrers } from "@/lib/db/schema";
import { displayName } from "./display-name";

/** A referrer in a few words. */
export function labelOf(row: typeof referrers.$inferSelect): ReferrerLabel {
  return { id: row.id, name: displayName(row.metadata ?? {}) ?? null, metacode: row.slug };
}

/** These referrers of the app in a few words, by id. */
export async function referrerLabels(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, ReferrerLabel>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select()
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), inArray(referrers.id, [...new Set(ids)])));
  return new Map(rows.map((row) => [row.id, labelOf(row)]));
}
