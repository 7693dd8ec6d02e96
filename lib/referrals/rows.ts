import { campaignNames } from "@/lib/campaigns/names";
import { codesOf } from "@/lib/codes/of-assignments";
import type { Context } from "@/lib/context";
import { maskCode } from "@/lib/contract/code-file";
import type { ReferralRow } from "@/lib/contract/referral-list";
import type { clicks } from "@/lib/db/schema";
import { referrerLabels } from "@/lib/referrers/label";
import { type Referral, statusOf } from "./status";

/** Referrals as a list shows them: with names, and with the end of their codes. */
export async function referralRows(ctx: Context, page: readonly Referral[]): Promise<ReferralRow[]> {
  const [people, names, codes] = await Promise.all([
    referrerLabels(
      ctx,
      page.map(({ referrerId }) => referrerId),
    ),
    campaignNames(
      ctx,
      page.map(({ campaignId }) => campaignId),
    ),
    codesOf(
      ctx,
      page.map(({ id }) => id),
    ),
  ]);
  return page.map((referral) => {
    const { id, refereeUid, platform, createdAt, confirmedAt, reversedAt } = referral;
    const code = codes.get(id);
    return {
      ...{ id, refereeUid, platform, createdAt, confirmedAt, reversedAt },
      status: statusOf(referral),
      referrer: people.get(referral.referrerId) ?? null,
      campaign: names.get(referral.campaignId) ?? null,
      code: code ? maskCode(code.code) : null,
    };
  });
}

/** Clicks that no referee has followed yet, in the same list. */
export async function clickRows(
  ctx: Context,
  page: readonly (typeof clicks.$inferSelect)[],
): Promise<ReferralRow[]> {
  const people = await referrerLabels(
    ctx,
    page.map(({ referrerId }) => referrerId),
  );
  const nothing = { refereeUid: null, platform: null, campaign: null, code: null };
  return page.map(({ id, referrerId, createdAt }) => ({
    ...nothing,
    ...{ id, status: "clicked", createdAt, confirmedAt: null, reversedAt: null },
    referrer: people.get(referrerId) ?? null,
  }));
}
