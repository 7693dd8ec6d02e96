import { shownUid } from "@/lib/contract/influencer";
import type { ReferrerQuery } from "@/lib/contract/referrer-list";
import { allPages } from "@/lib/platform/pagination";
import { appSubject } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { listReferrers } from "./list";

const PAGE = 500;

export const REFERRER_COLUMNS = [
  "referrer_id",
  "uid",
  "name",
  "metacode",
  "status",
  "campaign",
  "confirmed_referrals",
  "rewards_earned",
  "rewards_claimed",
  "created_at",
  "rewards_withdrawn",
] as const;

/**
 * All rows of a list of referrers, for a file; the audit log records the export. Ignores the order by confirmed referrals,
 * which omits referrers without one.
 */
export async function exportReferrers(ctx: Context, { cursor: _, sort: __, ...query }: ReferrerQuery) {
  await recordAudit(ctx.db, ctx, {
    action: "referrer.exported",
    ...appSubject(ctx.app),
    after: query,
  });
  return rowsOf(ctx, query);
}

async function* rowsOf(ctx: Context, query: ReferrerQuery) {
  for await (const row of allPages((cursor) => listReferrers(ctx, { ...query, cursor }, PAGE))) {
    yield {
      referrer_id: row.id,
      uid: shownUid(row.uid),
      name: row.name,
      metacode: row.metacode,
      status: row.status,
      campaign: row.campaign,
      confirmed_referrals: row.confirmed,
      rewards_earned: row.earned,
      rewards_claimed: row.claimed,
      created_at: row.createdAt,
      rewards_withdrawn: row.withdrawn,
    };
  }
}
