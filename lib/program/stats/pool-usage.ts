import { and, eq, gte, sql } from "drizzle-orm";
import { DAY_MS, daysBefore, HOUR_MS, isoDay } from "@/lib/contract/format";
import type { PoolView } from "@/lib/contract/pool";
import { databaseNow } from "@/lib/platform/db/chunks";
import { campaignPlatforms, campaigns, dailyStats } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";

/** Days over which the pace is taken, today included. */
export const PACE_DAYS = 7;

/** Codes that a pool younger than {@link PACE_DAYS} must have used to have a pace: one code is no forecast. */
const PACE_CODES = 5;

/** The campaigns that take codes from a pool, and how fast. */
export interface PoolUsage {
  campaigns: PoolView["usedBy"];
  /** Codes that its campaigns assigned in the last {@link PACE_DAYS} days. */
  recent: number;
  /** The first day of these codes; today without any. */
  firstDay: string;
  /** Time before expiry at which a batch is no longer used: the longest margin of the campaigns that {@link RANK} prefers. */
  marginMs: number;
}

type Platforms = typeof campaignPlatforms.$inferSelect;
type Campaign = typeof campaigns.$inferSelect;

type Claimed = { claimed: number; claimedFrom: string | null };
type Recent = Claimed & { assigned: number; assignedFrom: string | null };

async function recentByCampaign(ctx: Context, since: string): Promise<Map<string, Recent>> {
  const { appId, day, campaignId, platform, assigned, claimed } = dailyStats;
  const rows = await ctx.db.orm
    .select({
      campaignId,
      platform,
      assigned: sql<number>`sum(${assigned})`.mapWith(Number),
      assignedFrom: sql<string | null>`(min(${day}) filter (where ${assigned} > 0))::text`,
      claimed: sql<number>`sum(${claimed})`.mapWith(Number),
      claimedFrom: sql<string | null>`(min(${day}) filter (where ${claimed} > 0))::text`,
    })
    .from(dailyStats)
    .where(and(eq(appId, ctx.app.id), gte(day, since)))
    .groupBy(campaignId, platform);
  return new Map(rows.map((row) => [`${row.campaignId} ${row.platform}`, row]));
}

/**
 * Rewards claimed since a time in campaigns that pay on the referrer's own platform, by campaign and the platform of the
 * code, among the newest 10,000 of the app. The figures have the platforms of the friends who earned them.
 */
async function claimedOnOwn(ctx: Context, since: Date): Promise<Map<string, Claimed>> {
  const { rows } = await ctx.db.orm.execute<Claimed & { key: string }>(sql`
    select c.id || ' ' || k.platform as key, count(*)::int as claimed,
           (min(w.claimed_at) at time zone 'UTC')::date::text as "claimedFrom"
      from (
        select id, campaign_id, claimed_at from rewards
         where app_id = ${ctx.app.id} order by app_id desc, id desc limit ${SCAN_ROWS}) w
      join campaigns c on c.app_id = ${ctx.app.id} and c.id = w.campaign_id and c.rewards_on = 'referrer'
      join codes k on k.app_id = ${ctx.app.id} and k.assignment_id = w.id
     where w.claimed_at >= ${since}
     group by 1`);
  return new Map(rows.map((row) => [row.key, row]));
}

/** The margins of active campaigns count; without any, those of campaigns that may become active, and of ended ones last. */
const RANK = { active: 2, paused: 1, draft: 1, ended: 0 } as const;

function add(usage: PoolUsage | undefined, campaign: Campaign, codes: number, from: string): PoolUsage {
  const { id, name, status, safetyMarginHours } = campaign;
  const known = usage?.campaigns ?? [];
  const first = Math.max(...known.map((other) => RANK[other.status]), 0);
  const others = RANK[status] > first ? 0 : (usage?.marginMs ?? 0);
  return {
    campaigns: [...known, { id, name, status }],
    recent: (usage?.recent ?? 0) + codes,
    firstDay: usage && usage.firstDay < from ? usage.firstDay : from,
    marginMs: Math.max(others, RANK[status] < first ? 0 : safetyMarginHours * HOUR_MS),
  };
}

/** The use of every pool that a campaign names, by the pool's id. Reads a week of figures along their primary key. */
export async function poolUsage(ctx: Context): Promise<Map<string, PoolUsage>> {
  const today = isoDay(databaseNow());
  const since = daysBefore(today, PACE_DAYS - 1);
  const rows = await ctx.db.orm
    .select()
    .from(campaignPlatforms)
    .innerJoin(
      campaigns,
      and(eq(campaigns.appId, campaignPlatforms.appId), eq(campaigns.id, campaignPlatforms.campaignId)),
    )
    .where(eq(campaignPlatforms.appId, ctx.app.id));
  const recent = await recentByCampaign(ctx, since);
  const onOwn = rows.some((row) => row.campaigns.rewardsOn === "referrer");
  const own = onOwn ? await claimedOnOwn(ctx, new Date(since)) : new Map<string, Claimed>();
  const usage = new Map<string, PoolUsage>();
  for (const { campaigns: campaign, campaign_platforms: rules } of rows) {
    const taken = recent.get(keyOf(rules));
    const paid = (campaign.rewardsOn === "referrer" ? own : recent).get(keyOf(rules));
    const uses = [
      [rules.refereePoolId, taken?.assigned, taken?.assignedFrom],
      [rules.rewardPoolId, paid?.claimed, paid?.claimedFrom],
    ] as const;
    for (const [poolId, codes, from] of uses) {
      if (poolId) usage.set(poolId, add(usage.get(poolId), campaign, codes ?? 0, from ?? today));
    }
  }
  return usage;
}

function keyOf({ campaignId, platform }: Platforms): string {
  return `${campaignId} ${platform}`;
}

/**
 * Codes per day: those assigned within the window, over the days since the first of them or the pool, at least one. Codes
 * from before the pool existed came from another pool. Zero for a new pool with too few to tell.
 */
export function paceOf(recent: number, firstDay: string, poolCreatedAt: Date, now = databaseNow()): number {
  const start = Date.parse(daysBefore(isoDay(new Date(now)), PACE_DAYS - 1));
  const begun = firstDay < isoDay(poolCreatedAt) ? Date.parse(firstDay) : poolCreatedAt.getTime();
  if (begun > start && recent < PACE_CODES) return 0;
  return recent / Math.max(1, (now - Math.max(start, begun)) / DAY_MS);
}
