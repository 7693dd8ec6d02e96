import { and, asc, eq, gte, lte, sql } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import type { Referral } from "@/lib/contract/referral-list";
import type { CodeView, RewardView } from "@/lib/contract/timeline";
import { sqlFunction } from "@/lib/platform/db/calls";
import { databaseNow } from "@/lib/platform/db/chunks";
import { referrers, rewards } from "@/lib/platform/db/schema";
import { type Key, walkPage } from "@/lib/platform/db/walk";
import { campaignNames } from "@/lib/program/campaigns/read";
import { codeViews, replacementsByAssignment } from "@/lib/program/codes/assigned-codes";
import type { Context } from "@/lib/tenants/context";

const SHOWN = 50;

const WAIT_REASONS = sqlFunction("wait_reasons", { app: "uuid", referrer: "uuid", uid: "text" }).returns<
  {
    campaign_id: string;
    counted_on: string;
    platform: Platform;
    /** The platforms of the last claims that tried them; null for rewards that none has tried. */
    tried: (Platform | null)[];
    rewards: number;
    /** This many of them, the lowest numbers first, find a code; the others wait for the reason. */
    claimable: number;
    reason: RewardView["waitsFor"];
  }[]
>();

const NEWEST_FIRST: Key[] = [
  { by: rewards.createdAt, type: "timestamptz" },
  { by: rewards.rewardNumber, type: "int" },
  { by: rewards.id, type: "uuid" },
];

/** The rewards of a referrer, newest first, with masked codes, and with the reasons for which they wait now. */
export async function listRewards(ctx: Context, referrerId: string, cursor?: string) {
  const within = and(eq(rewards.appId, ctx.app.id), eq(rewards.referrerId, referrerId));
  const page = { within, keys: NEWEST_FIRST, order: "desc", cursor, size: SHOWN } as const;
  const { data: rows, nextCursor } = await walkPage(ctx.db, rewards, page);
  const ids = rows.map(({ id }) => id);
  const campaignIds = rows.map((row) => row.campaignId);
  const [owner] = await ctx.db.orm
    .select({ uid: referrers.uid, metacode: referrers.slug })
    .from(referrers)
    .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, referrerId)));
  const uid = rows.some(({ status }) => status === "earned") ? owner?.uid : undefined;
  const { campaignId, platform, rewardNumber, status, waitsOn } = rewards;
  const [reasons, earned, codes, replaced, names] = await Promise.all([
    uid === undefined ? [] : ctx.db.call(WAIT_REASONS, { app: ctx.app.id, referrer: referrerId, uid }),
    ctx.db.orm
      .select({ campaignId, platform, rewardNumber, status, waitsOn })
      .from(rewards)
      .where(and(within, eq(status, "earned"))),
    codeViews(ctx, { assignments: ids }),
    replacementsByAssignment(ctx, ids),
    campaignNames(ctx, campaignIds),
  ]);
  const waitOf = ({ campaignId, platform, status, waitsOn }: (typeof earned)[number]) =>
    status === "earned"
      ? reasons.find(
          (group) =>
            group.campaign_id === campaignId &&
            group.counted_on === platform &&
            group.tried.includes(waitsOn),
        )
      : undefined;
  const after = (number: number, wait: (typeof reasons)[number]) =>
    earned.filter((other) => other.rewardNumber > number && waitOf(other) === wait).length;
  const data = rows.map((row): RewardView => {
    const { id, platform, campaignId, rewardNumber, status, createdAt, claimedAt } = row;
    const code = codes.get(id);
    const wait = waitOf(row);
    return {
      id,
      metacode: owner?.metacode ?? "",
      platform,
      paidOn: code?.platform ?? wait?.platform ?? platform,
      rewardNumber,
      status,
      waitsFor: wait && wait.rewards - after(rewardNumber, wait) > wait.claimable ? wait.reason : null,
      createdAt,
      claimedAt,
      campaign: names.get(campaignId) ?? null,
      code: code?.code ?? null,
      codeId: code?.id ?? null,
      codeTrouble: troubleOf(code),
      replaced: replaced.has(id),
    };
  });
  return { data, nextCursor };
}

function troubleOf(code: CodeView | undefined): RewardView["codeTrouble"] {
  if (code?.quarantined) return "in quarantine";
  return code?.expiresAt && code.expiresAt.getTime() <= databaseNow() ? "expired" : null;
}

/** The reward towards which a confirmed referral counts: the first earned by referrals with it or after it, if any. */
export async function findRewardOf(ctx: Context, referral: Referral) {
  const { referrerId, campaignId, platform, confirmedAt, countsFrom, held, reversedAt } = referral;
  if (!confirmedAt || held) return undefined;
  const found = await ctx.db.orm
    .select({ reward: rewards, at: sql<string>`${rewards.createdAt}::text` })
    .from(rewards)
    .where(
      and(
        eq(rewards.appId, ctx.app.id),
        eq(rewards.referrerId, referrerId),
        eq(rewards.campaignId, campaignId),
        eq(rewards.platform, platform),
        gte(rewards.createdAt, countsFrom ?? confirmedAt),
        reversedAt ? lte(rewards.createdAt, reversedAt) : undefined,
      ),
    )
    .orderBy(asc(rewards.rewardNumber))
    .limit(SHOWN);
  const times = found.map(({ at }) => at);
  const byHand = await grantedByHand(ctx, times);
  return found.find(({ at }) => !byHand.has(at))?.reward;
}

/** The times of rewards that a member granted: each has an audit entry from the same transaction. */
async function grantedByHand({ db, app }: Context, times: string[]): Promise<Set<string>> {
  const { rows } = await db.orm.execute<{ at: string }>(sql`
    select created_at::text as at from audit_log
     where app_id = ${app.id} and created_at = any(${sql.param(times)}::timestamptz[])
       and action in ('reward.goodwill', 'reward.granted')`);
  return new Set(rows.map(({ at }) => at));
}
