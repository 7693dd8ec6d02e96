import { shownUid } from "@/lib/contract/influencer";
import type { ReferralQuery } from "@/lib/contract/referral-list";
import { allPages } from "@/lib/platform/pagination";
import { appSubject } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
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

/** All rows of a list of referrals, for a file; the audit log records the export. */
export async function exportReferrals(ctx: Context, { cursor: _, ...query }: ReferralQuery) {
  await recordAudit(ctx.db, ctx, {
    action: "referral.exported",
    ...appSubject(ctx.app),
    after: query,
  });
  return rowsOf(ctx, query);
}

async function* rowsOf(ctx: Context, query: ReferralQuery) {
  for await (const row of allPages((cursor) => listReferrals(ctx, { ...query, cursor }, PAGE))) {
    yield {
      referral_id: row.id,
      status: row.status,
      referee_uid: row.refereeUid && shownUid(row.refereeUid),
      platform: row.platform,
      campaign: row.campaign,
      referrer_id: row.referrer?.id,
      referrer: row.referrer?.name,
      metacode: row.referrer?.metacode,
      code: row.code,
      created_at: row.createdAt,
      confirmed_at: row.confirmedAt,
      reversed_at: row.reversedAt,
    };
  }
}
