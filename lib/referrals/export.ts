import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import type { ReferralFilters } from "@/lib/contract/referral-list";
import { allPages } from "@/lib/pages";
import { listReferrals } from "./list";

const PAGE = 500;

export const REFERRAL_COLUMNS = [
  "referral_id",
  "status",
  "referee_uid",
  "platform",
  "campaign",
  "referrer_id",
  "referrer",
  "metacode",
  "code",
  "created_at",
  "confirmed_at",
  "reversed_at",
] as const;

/** What a list of referrals shows, all of it, for a file; the audit log remembers who took it. */
export async function exportReferrals(ctx: Context, filters: ReferralFilters) {
  const { cursor: _, ...wanted } = filters;
  await recordAudit(ctx.db, ctx, {
    ...{ action: "referral.exported", subject: "app", subjectId: ctx.app.id, subjectName: ctx.app.name },
    after: wanted,
  });
  return rowsOf(ctx, wanted);
}

async function* rowsOf(ctx: Context, filters: ReferralFilters) {
  for await (const row of allPages((cursor) => listReferrals(ctx, { ...filters, cursor }, PAGE))) {
    yield {
      ...{ referral_id: row.id, status: row.status, referee_uid: row.refereeUid, platform: row.platform },
      ...{ campaign: row.campaign, referrer_id: row.referrer?.id, referrer: row.referrer?.name },
      ...{ metacode: row.referrer?.metacode, code: row.code, created_at: row.createdAt },
      ...{ confirmed_at: row.confirmedAt, reversed_at: row.reversedAt },
    };
  }
}
