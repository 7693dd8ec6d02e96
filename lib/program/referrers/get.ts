import { and, eq, gte, lt, or } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import type { ReferralRow } from "@/lib/contract/referral-list";
import type { ReferrerTimelineEntry, ReferrerView, RewardView } from "@/lib/contract/timeline";
import { auditLog, campaigns, referrerProgress, referrers } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import type { Context } from "@/lib/tenants/context";
import { unmetered } from "@/lib/tenants/quota/meter";
import { GET_REFERRER } from "./get-or-create";
import { referrerLabel } from "./record";
import { toReferrerResponse } from "./response";

/** A referrer with its stats and progress exactly as the API shows them. Throws NOT_FOUND. */
export async function getReferrer(ctx: Context, id: string): Promise<ReferrerView> {
  const [found] = isUuid(id)
    ? await ctx.db.orm
        .select({ row: referrers, campaign: { id: campaigns.id, name: campaigns.name } })
        .from(referrers)
        .leftJoin(
          campaigns,
          and(eq(campaigns.appId, referrers.appId), eq(campaigns.id, referrers.campaignId)),
        )
        .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, id)))
    : [];
  if (!found) return fail("NOT_FOUND", "There is no such referrer");
  const { row, campaign } = found;
  const stored = await ctx.db.call(GET_REFERRER, {
    app: ctx.app.id,
    uid: row.uid,
    ...unmetered.statement(),
  });
  if (stored.verdict !== "OK") return fail("NOT_FOUND", "There is no such referrer");
  const { referral_link: link, status: shown, stats, progress } = toReferrerResponse(ctx.app, stored);
  const { uid, status, notes, metadata, createdAt } = row;
  const counted = await ctx.db.orm
    .selectDistinct({ platform: referrerProgress.platform })
    .from(referrerProgress)
    .where(and(eq(referrerProgress.appId, ctx.app.id), eq(referrerProgress.referrerId, row.id)));
  const inCampaign = PLATFORMS.filter((platform) => stored.progress[platform]);
  return {
    ...referrerLabel(row),
    uid,
    link,
    status,
    shown,
    campaign,
    notes,
    metadata,
    stats,
    progress,
    inCampaign,
    platforms: PLATFORMS.filter(
      (name) => inCampaign.includes(name) || counted.some(({ platform }) => platform === name),
    ),
    createdAt,
    influencer: row.campaignId !== null,
  };
}

/** The timeline of a referrer, newest first, as far back as these referrals and rewards reach. */
export async function referrerTimeline(
  ctx: Context,
  referrer: ReferrerView,
  shown: { referrals: readonly ReferralRow[]; rewards: readonly RewardView[] },
): Promise<ReferrerTimelineEntry[]> {
  const reversers = await reversersOf(ctx, shown.referrals);
  const timeline: ReferrerTimelineEntry[] = [
    { kind: "created", at: referrer.createdAt },
    ...shown.referrals.map((row) => ({
      kind: "referral" as const,
      row,
      at: row.reversedAt ?? row.confirmedAt ?? row.createdAt,
      by: reversers.get(row.id) ?? null,
    })),
    ...shown.rewards.flatMap((reward): ReferrerTimelineEntry[] => [
      { kind: "earned", at: reward.createdAt, reward },
      ...(reward.claimedAt ? [{ kind: "claimed" as const, at: reward.claimedAt, reward }] : []),
    ]),
    ...(await auditOfSubject(ctx, referrer.id, ...shown.rewards.map(({ id }) => id))).data,
  ];
  return timeline.sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** The members who reversed referrals, by referral. A reversal and its audit entry have the time of their transaction. */
async function reversersOf(ctx: Context, rows: readonly ReferralRow[]): Promise<Map<string, string>> {
  const { workspaceId, appId, action, subjectId, actorName, createdAt } = auditLog;
  const reversals = rows.flatMap(({ id, reversedAt: at }) => {
    const isThen = at && [gte(createdAt, at), lt(createdAt, new Date(at.getTime() + 1))];
    return isThen ? [and(eq(subjectId, id), ...isThen)] : [];
  });
  if (reversals.length === 0) return new Map();
  const own = [eq(workspaceId, ctx.workspace.id), eq(appId, ctx.app.id), eq(action, "referral.reversed")];
  const found = await ctx.db.orm
    .select({ id: subjectId, by: actorName })
    .from(auditLog)
    .where(and(...own, or(...reversals)));
  return new Map(found.map(({ id, by }) => [id, by]));
}
