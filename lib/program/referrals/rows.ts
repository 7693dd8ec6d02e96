import { maskCode } from "@/lib/contract/code-file";
import { heldUntil, type Referral, type ReferralRow, referralStatusOf } from "@/lib/contract/referral-list";
import type { clicks } from "@/lib/platform/db/schema";
import { campaignNames } from "@/lib/program/campaigns/read";
import { codesByAssignment } from "@/lib/program/codes/assigned-codes";
import { referrerLabels } from "@/lib/program/referrers/record";
import type { Context } from "@/lib/tenants/context";

/** Referrals as a list shows them, with names and masked codes. */
export async function referralRows(ctx: Context, page: readonly Referral[]): Promise<ReferralRow[]> {
  const valuesOf = (key: "id" | "referrerId" | "campaignId") => page.map((referral) => referral[key]);
  const [labels, names, codes] = await Promise.all([
    referrerLabels(ctx, valuesOf("referrerId")),
    campaignNames(ctx, valuesOf("campaignId")),
    codesByAssignment(ctx, valuesOf("id")),
  ]);
  return page.map((referral) => {
    const { id, refereeUid, platform, createdAt, confirmedAt, reversedAt } = referral;
    const code = codes.get(id);
    return {
      id,
      refereeUid,
      platform,
      createdAt,
      confirmedAt,
      reversedAt,
      heldUntil: heldUntil(referral),
      status: referralStatusOf(referral),
      referrer: labels.get(referral.referrerId) ?? null,
      campaign: names.get(referral.campaignId) ?? null,
      code: code ? maskCode(code.code) : null,
    };
  });
}

/** Clicks that no redeem has followed yet, as rows of the same list. */
export async function clickRows(
  ctx: Context,
  page: readonly (typeof clicks.$inferSelect)[],
): Promise<ReferralRow[]> {
  const labels = await referrerLabels(
    ctx,
    page.map(({ referrerId }) => referrerId),
  );
  return page.map(({ id, referrerId, createdAt }) => ({
    id,
    status: "clicked",
    refereeUid: null,
    platform: null,
    campaign: null,
    code: null,
    createdAt,
    confirmedAt: null,
    heldUntil: null,
    reversedAt: null,
    referrer: labels.get(referrerId) ?? null,
  }));
}
