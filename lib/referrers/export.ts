import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { ReferrerFilters } from "@/lib/contract/referrer-list";
import { allPages } from "@/lib/pages";
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
] as const;

/** What a list of referrers shows, all of it, for a file; the audit log remembers who took it. */
export async function exportReferrers(ctx: Context, filters: ReferrerFilters) {
  const { cursor: _, ...wanted } = filters;
  await recordAudit(ctx.db, ctx, {
    ...{ action: "referrer.exported", subject: "app", subjectId: ctx.app.id, subjectName: ctx.app.name },
    after: wanted,
  });
  return rowsOf(ctx, wanted);
}

async function* rowsOf(ctx: Context, filters: ReferrerFilters) {
  for await (const row of allPages((cursor) => listReferrers(ctx, { ...filters, cursor }, PAGE))) {
    yield {
      ...{ referrer_id: row.id, uid: row.uid, name: row.name, metacode: row.metacode, status: row.status },
      ...{ campaign: row.campaign, confirmed_referrals: row.confirmed, rewards_earned: row.earned },
      ...{ rewards_claimed: row.claimed, created_at: row.createdAt },
    };
  }
}
