import { and, eq, inArray, sum } from "drizzle-orm";
import { campaignNames } from "@/lib/campaigns/names";
import type { Context } from "@/lib/context";
import type { ReferrerRow } from "@/lib/contract/referrer-list";
import { referrerProgress, type referrers } from "@/lib/db/schema";
import { labelOf } from "./label";

type Referrer = typeof referrers.$inferSelect;

/** Confirmed referrals and rewards of these referrers over all campaigns, along the primary key. */
async function countsOf(ctx: Context, ids: string[]) {
  if (ids.length === 0) return new Map();
  const { appId, referrerId, confirmed, earned, claimed } = referrerProgress;
  const total = (column: Parameters<typeof sum>[0]) => sum(column).mapWith(Number);
  const rows = await ctx.db.orm
    .select({ id: referrerId, confirmed: total(confirmed), earned: total(earned), claimed: total(claimed) })
    .from(referrerProgress)
    .where(and(eq(appId, ctx.app.id), inArray(referrerId, ids)))
    .groupBy(referrerId);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Referrers as a list shows them. */
export async function referrerRows(ctx: Context, page: readonly Referrer[]): Promise<ReferrerRow[]> {
  const [names, counts] = await Promise.all([
    campaignNames(
      ctx,
      page.flatMap(({ campaignId }) => campaignId ?? []),
    ),
    countsOf(
      ctx,
      page.map(({ id }) => id),
    ),
  ]);
  return page.map((row) => ({
    ...labelOf(row),
    ...{ uid: row.uid, status: row.status, createdAt: row.createdAt },
    campaign: (row.campaignId && names.get(row.campaignId)) ?? null,
    ...(counts.get(row.id) ?? { confirmed: 0, earned: 0, claimed: 0 }),
  }));
}
