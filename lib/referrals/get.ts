import { and, eq } from "drizzle-orm";
import { auditOfSubject } from "@/lib/audit/of-subject";
import { campaignNames } from "@/lib/campaigns/names";
import { replacementsOf } from "@/lib/codes/replacements";
import { codeViews } from "@/lib/codes/views";
import { eventsOfReferral } from "@/lib/confirmations/of-referral";
import type { Context } from "@/lib/context";
import type { ReferralMoment, ReferralView } from "@/lib/contract/timeline";
import { isUuid } from "@/lib/contract/uuid";
import { clicks, referrals } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { referrerLabels } from "@/lib/referrers/label";
import { rewardCountedTowards } from "@/lib/rewards/counted";
import { type Referral, statusOf } from "./status";

/** A referral, or a click that nobody has followed yet, with all that happened to it. Throws NOT_FOUND. */
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
  const [people, names, replacements, events, reward, audit] = await Promise.all([
    referrerLabels(ctx, [referral.referrerId]),
    campaignNames(ctx, [campaignId]),
    replacementsOf(ctx, [id]),
    eventsOfReferral(ctx, id),
    rewardCountedTowards(ctx, referral),
    auditOfSubject(ctx, id),
  ]);
  const replacement = replacements.get(id);
  const codes = await codeViews(ctx, {
    assignments: [id],
    ids: replacement ? [replacement.oldCodeId] : [],
  });
  const code = codes.get(id) ?? null;
  const old = replacement && (codes.get(replacement.oldCodeId) ?? null);
  // In one moment, what the provider sent comes before what it brought about.
  const moments: ReferralMoment[] = [...events, ...milestones(referral, old ?? code), ...audit];
  if (replacement) {
    moments.push({
      kind: "code_replaced",
      at: replacement.createdAt,
      old: old ?? null,
      reason: replacement.reason,
    });
  }
  if (reward) {
    const { createdAt: at, rewardNumber, status } = reward;
    moments.push({ kind: "reward", at, rewardNumber, status });
  }
  return {
    ...{ id, refereeUid, platform, createdAt, code },
    status: statusOf(referral),
    campaign: { id: campaignId, name: names.get(campaignId) ?? "" },
    referrer: people.get(referral.referrerId) ?? null,
    replaced: replacement !== undefined,
    reversedByProvider: referral.reversedBy !== null,
    moments: moments.sort((a, b) => a.at.getTime() - b.at.getTime()),
  };
}

/** What the referral itself remembers, in the order of its life. */
function milestones(referral: Referral, code: ReferralView["code"]): ReferralMoment[] {
  const { clickedAt, createdAt, confirmedAt, reversedAt, reversedBy } = referral;
  return [
    ...(clickedAt ? [{ kind: "clicked", at: clickedAt } as const] : []),
    { kind: "code_given", at: createdAt, code },
    ...(confirmedAt ? [{ kind: "confirmed", at: confirmedAt } as const] : []),
    ...(reversedAt ? [{ kind: "reversed", at: reversedAt, byHand: reversedBy === null } as const] : []),
  ];
}

async function clickView(ctx: Context, id: string): Promise<ReferralView> {
  const [click] = await ctx.db.orm
    .select()
    .from(clicks)
    .where(and(eq(clicks.appId, ctx.app.id), eq(clicks.id, id)));
  if (!click) return fail("NOT_FOUND", "There is no such referral");
  const people = await referrerLabels(ctx, [click.referrerId]);
  return {
    ...{ id, status: "clicked", refereeUid: null, platform: null, campaign: null, code: null },
    ...{ replaced: false, reversedByProvider: false, createdAt: click.createdAt },
    referrer: people.get(click.referrerId) ?? null,
    moments: [{ kind: "clicked", at: click.createdAt }],
  };
}
