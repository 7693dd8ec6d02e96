import { and, eq, sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import { heldUntil, type Referral, referralStatusOf } from "@/lib/contract/referral-list";
import type { ReferralTimelineEntry, ReferralView } from "@/lib/contract/timeline";
import { clicks, referrals, referrers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { openCampaigns, successorsOf } from "@/lib/program/campaigns/lifecycle";
import { campaignNames } from "@/lib/program/campaigns/read";
import { codeViews, replacementsByAssignment } from "@/lib/program/codes/assigned-codes";
import { listReferralEvents } from "@/lib/program/confirmations/list";
import { referrerLabels } from "@/lib/program/referrers/record";
import { findRewardOf } from "@/lib/program/rewards/list";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import type { Context } from "@/lib/tenants/context";

/** A referral, or a click that no redeem has followed yet, with its timeline. Throws NOT_FOUND. */
export async function getReferral(ctx: Context, id: string): Promise<ReferralView> {
  if (!isUuid(id)) return fail("NOT_FOUND", "There is no such referral");
  const [referral] = await ctx.db.orm
    .select()
    .from(referrals)
    .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.id, id)));
  return referral ? viewOf(ctx, referral) : clickView(ctx, id);
}

async function viewOf(ctx: Context, referral: Referral): Promise<ReferralView> {
  const { id, refereeUid, platform, campaignId, createdAt } = referral;
  const [labels, names, replacements, events, reward, { data: audit }, retry] = await Promise.all([
    referrerLabels(ctx, [referral.referrerId]),
    campaignNames(ctx, [campaignId]),
    replacementsByAssignment(ctx, [id]),
    listReferralEvents(ctx, id),
    findRewardOf(ctx, referral),
    auditOfSubject(ctx, id),
    retryOf(ctx, referral),
  ]);
  const replaced = replacements.get(id) ?? [];
  const codes = await codeViews(ctx, { assignments: [id], ids: replaced.map((row) => row.oldCodeId) });
  const code = codes.get(id) ?? null;
  // If times are equal, a provider's event comes before its effect.
  const timeline: ReferralTimelineEntry[] = [
    ...events,
    ...milestones(referral, codes.get(replaced[0]?.oldCodeId ?? id) ?? null),
    ...audit.filter(({ action }) => action !== "code.replaced"),
  ];
  for (const { createdAt: at, oldCodeId, reason } of replaced) {
    // The audit entry was written in the same transaction.
    const by = audit.find((line) => line.action === "code.replaced" && line.at.getTime() === at.getTime());
    timeline.push({
      kind: "code_replaced",
      ...{ at, old: codes.get(oldCodeId) ?? null, reason, by: by?.actor ?? null },
    });
  }
  if (reward) {
    const { createdAt: at, rewardNumber, status } = reward;
    timeline.push({ kind: "reward", at, rewardNumber, status });
  }
  return {
    id,
    refereeUid,
    platform,
    createdAt,
    code,
    status: referralStatusOf(referral),
    campaign: { id: campaignId, name: names.get(campaignId) ?? "" },
    referrer: labels.get(referral.referrerId) ?? null,
    heldUntil: heldUntil(referral),
    replaced: replaced.length > 0,
    ...retry,
    reversedByProvider: referral.reversedBy !== null,
    trialAt: referral.status === "code_assigned" && referral.confirmedPurchase ? referral.purchasedAt : null,
    timeline: timeline.sort((a, b) => a.at.getTime() - b.at.getTime()),
  };
}

/**
 * `moved`: whether a retry begins a referral of another campaign. If that one refuses, the response still shows the code,
 * as it does for a paused or ended referrer's metacode. `again`: whether the user may redeem after a release.
 */
async function retryOf(ctx: Context, referral: Referral): Promise<Pick<ReferralView, "moved" | "again">> {
  const ids = [referral.campaignId];
  const [successor, open] = await Promise.all([successorsOf(ctx, ids), openCampaigns(ctx, ids)]);
  const next = successor(referral);
  const had = sql<boolean>`exists (select 1 from ${referrals} f where f.app_id = ${ctx.app.id}
    and f.campaign_id = ${next ?? null}::uuid and f.referee_uid = ${referral.refereeUid})`;
  const [{ by, done } = { by: "ended" as const, done: false }] = await ctx.db.orm
    .select({ by: referrers.status, done: had })
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referral.referrerId)));
  const moved = next !== undefined && by === "active";
  const when = next ? "now" : (open.get(referral.campaignId) ?? "closed");
  return { moved, again: done ? { when: "had", by: "active" } : { when, by } };
}

/** The timestamps of the referral itself, in the order of its lifecycle. */
function milestones(referral: Referral, code: ReferralView["code"]): ReferralTimelineEntry[] {
  const { clickedAt, createdAt, confirmedAt, countsFrom, reversedAt, reversedBy } = referral;
  return [
    ...(clickedAt ? [{ kind: "clicked", at: clickedAt } as const] : []),
    { kind: "code_assigned", at: createdAt, code },
    ...(confirmedAt ? [{ kind: "confirmed", at: confirmedAt, heldUntil: countsFrom } as const] : []),
    ...(reversedAt ? [{ kind: "reversed", at: reversedAt, byHand: reversedBy === null } as const] : []),
  ];
}

async function clickView(ctx: Context, id: string): Promise<ReferralView> {
  const [click] = await ctx.db.orm
    .select()
    .from(clicks)
    .where(and(eq(clicks.appId, ctx.app.id), eq(clicks.id, id)));
  if (!click) return fail("NOT_FOUND", "There is no such referral");
  const labels = await referrerLabels(ctx, [click.referrerId]);
  return {
    id,
    status: "clicked",
    refereeUid: null,
    platform: null,
    campaign: null,
    code: null,
    heldUntil: null,
    replaced: false,
    moved: false,
    again: { when: "now", by: "active" },
    reversedByProvider: false,
    trialAt: null,
    createdAt: click.createdAt,
    referrer: labels.get(click.referrerId) ?? null,
    timeline: [{ kind: "clicked", at: click.createdAt }],
  };
}
