import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { AWAITED_STATES } from "@/lib/contract/code-request";
import type { Platform } from "@/lib/contract/fields";
import { formatCount, HOUR_MS, PLATFORM_NAME, PLATFORMS, plural } from "@/lib/contract/format";
import type { Problem } from "@/lib/outward/problems/problem";
import { databaseNow } from "@/lib/platform/db/chunks";
import { codeRequests } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { payingPlatform } from "@/lib/program/campaigns/platforms";
import type { Campaign } from "@/lib/program/campaigns/read";
import { batchOffer } from "@/lib/program/code-requests/offers";
import { ERASED, personIds } from "@/lib/program/end-users/pseudonym";
import type { PoolStock } from "@/lib/program/stats/stock";
import type { Context } from "@/lib/tenants/context";

/** Earned rewards of one campaign and platform that cannot be claimed, and the reason. */
export interface WaitingRewards {
  campaign: Campaign;
  platform: Platform;
  /** The pool without codes for them; absent if the campaign names none. */
  pool?: PoolStock;
  reason: "no_pool" | "no_codes" | "margin" | "same_offer" | "budget";
  count: number;
  /** The referrers of these rewards. */
  referrers: number;
}

interface Candidate extends Omit<WaitingRewards, "count" | "referrers"> {
  /** Named offers of the free codes: a referrer gets no second code of an offer. */
  offers: string[];
}

/**
 * The offers of a pool's free codes, each of which a user gets once; null for codes that any user may have. `marginMs`
 * alone decides which codes have expired: a claim uses the margin of the reward's campaign, not the pool's.
 */
export function offersIn(pool: PoolStock, marginMs = pool.marginMs): Set<string | null> {
  const { platform, onePerOffer, batches } = pool;
  const repeats = platform === "android" && !onePerOffer;
  const lasts = (expiresAt: Date | null) =>
    expiresAt === null || Number(expiresAt) > databaseNow() + marginMs;
  const free = batches.filter(({ free, expired, expiresAt }) => free + expired > 0 && lasts(expiresAt));
  return new Set(free.map(({ offer, kind }) => (repeats && kind !== "custom" ? null : offer)));
}

const rulesOn = ({ platforms }: Campaign, platform: Platform) =>
  platforms.find((rules) => rules.platform === platform);

/** Platforms of campaigns whose reward pool has no code that any referrer could get. */
function candidates(campaigns: Campaign[], stock: PoolStock[]): Candidate[] {
  return campaigns
    .filter(({ activatedAt }) => activatedAt)
    .flatMap((campaign) =>
      // Includes platforms that the campaign has left: their rewards stay earned.
      PLATFORMS.flatMap((platform): Candidate[] => {
        const { status, rewardBudget, spentRewards, safetyMarginHours } = campaign;
        // Until the campaign ends, its spent budget is a separate problem.
        if (rewardBudget !== null && spentRewards >= rewardBudget)
          return status === "ended" ? [{ campaign, platform, reason: "budget", offers: [] }] : [];
        const pool = stock.find(({ id }) => id === rulesOn(campaign, platform)?.rewardPoolId);
        if (!pool) return [{ campaign, platform, reason: "no_pool", offers: [] }];
        const offers = offersIn(pool, safetyMarginHours * HOUR_MS);
        if (offers.has(null)) return [];
        const named = [...offers].filter((offer) => offer !== null);
        const reason = named.length > 0 ? "same_offer" : pool.free > 0 ? "margin" : "no_codes";
        return [{ campaign, platform, pool, reason, offers: named }];
      }),
    );
}

/**
 * Rewards that were earned and cannot be claimed. Looks at the newest 10,000 rewards of an app in one statement, and
 * only where a reward pool lacks codes of an unnamed offer.
 */
export async function waitingRewards(
  ctx: Context,
  campaigns: Campaign[],
  stock: PoolStock[],
): Promise<WaitingRewards[]> {
  const found = candidates(campaigns, stock);
  if (found.length === 0) return [];
  const withAwaited = await awaitedOffers(ctx);
  const rules = found.map(({ campaign, platform, pool, reason, offers }, rule) => ({
    rule,
    campaign: campaign.id,
    platform,
    rewards_on: campaign.rewardsOn,
    offers: reason === "same_offer" && pool ? withAwaited(pool.id, offers) : offers,
  }));
  const { rows } = await ctx.db.orm.execute<{ rule: number; count: number; referrers: number }>(sql`
    select w.rule, count(*)::int as count, count(distinct w.referrer_id)::int as referrers
      from (
        select c.rule, r.referrer_id
          from (
            select referrer_id, campaign_id, platform, status, waits_on from rewards
             where app_id = ${ctx.app.id} order by app_id desc, id desc limit ${SCAN_ROWS}) r
          join referrers f on f.app_id = ${ctx.app.id} and f.id = r.referrer_id
          join jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
               as c (rule int, campaign uuid, platform text, rewards_on text, offers text[])
            on c.campaign = r.campaign_id
           and c.platform = coalesce(${payingPlatform(ctx.app.id)}, r.platform)
         where r.status = 'earned' and not ${ERASED} and ${hadAll(ctx, "f.uid")}) w
     group by w.rule`);
  return rows.flatMap(({ rule, count, referrers }) => {
    const candidate = found[rule];
    return candidate ? [{ ...candidate, count, referrers }] : [];
  });
}

/** Adds to a pool's offers those awaited from the last day's requests: a person without one of these needs no other. */
export async function awaitedOffers({ app, db }: Context) {
  const { appId, poolId, offerName, state, createdAt } = codeRequests;
  const isRecent = gt(createdAt, sql`now() - interval '1 day'`);
  const rows = await db.orm
    .select({ poolId, offerName })
    .from(codeRequests)
    .where(and(eq(appId, app.id), inArray(state, AWAITED_STATES), isRecent));
  return (id: string, offers: Iterable<string | null>) => {
    const awaited = rows.filter((row) => row.poolId === id).map((row) => batchOffer(row.offerName));
    return [...new Set([...offers, ...awaited])];
  };
}

/** Whether an end user has had a code of each of `c.offers` on `c.platform`, under any of their ids. */
export const hadAll = (ctx: Context, uid: "f.uid" | "l.referee_uid") => sql`
  cardinality(c.offers) = (
    select count(distinct t.offer) from offer_takers t
     where t.app_id = ${ctx.app.id} and t.platform = c.platform and t.offer = any(c.offers)
       and t.uid = any(${personIds(ctx.app.id, sql.raw(uid))}))`;

/** `1 reward is waiting`, `12 rewards are waiting`. */
export const rewardsWait = (count: number): string =>
  `${formatCount(count, "reward is", "rewards are")} waiting`;

/** The offer that a pool lacks, by its number: `a fourth iOS offer`. */
export function nextOffer({ platform, batches }: PoolStock): string {
  const offers = new Set(batches.flatMap(({ state, offer }) => (offer && state !== "undone" ? [offer] : [])));
  return `${ORDINALS[offers.size] ?? "another"} ${PLATFORM_NAME[platform]} offer`;
}

/** Only pools of the App Store have refills. */
export const anotherOffer = ({ name, platform }: PoolStock): string =>
  `Import codes of another offer into “${name}”${platform === "ios" ? ", or add one to its refill" : ""}`;

const ORDINALS = "a first, a second, a third, a fourth, a fifth, a sixth, a seventh, an eighth".split(", ");

/** The advice about rewards of an ended campaign, which cannot be changed. */
export const REMEDY_ONCE_ENDED = "Withdraw them, or grant goodwill rewards in another campaign";

/** Rewards that wait although their pool has codes; an empty or missing pool is a separate problem. */
export function rewardProblems(waiting: WaitingRewards[]): Problem[] {
  return waiting.flatMap(({ campaign, platform, pool, reason, count, referrers }): Problem[] => {
    const common = { kind: "rewards_waiting", severity: "critical" } as const;
    const subject = `${campaign.id} ${platform}`;
    const store = PLATFORM_NAME[platform];
    if (reason === "same_offer" && pool) {
      return [
        {
          ...common,
          subject,
          title: `${formatCount(referrers, "person", "people")} ${referrers === 1 ? "needs" : "need"} ${nextOffer(pool)}`,
          detail: `${anotherOffer(pool)}: ${rewardsWait(count)} although codes are free, because these referrers have already had a code of each of its offers.`,
          path: `/codes/import?pool=${pool.id}`,
          action: "Import codes",
          needs: "member",
        },
      ];
    }
    const runs = rulesOn(campaign, platform) !== undefined;
    const ended = campaign.status === "ended";
    if (reason === "margin" && pool) {
      const { safetyMarginHours: hours } = campaign;
      const margin = hours % 24 === 0 ? formatCount(hours / 24, "day") : formatCount(hours, "hour");
      return [
        {
          ...common,
          subject,
          title: `${formatCount(count, "reward")} of “${campaign.name}” ${plural(count, "needs", "need")} codes that are valid for ${margin}`,
          detail: `Import such codes into “${pool.name}”${ended ? "" : ", or shorten the campaign’s safety margin"}: its free codes expire within this margin.`,
          path: `/codes/import?pool=${pool.id}`,
          action: "Import codes",
          needs: "member",
        },
      ];
    }
    const remedy = runs ? `Choose a reward pool for ${store}` : `Add ${store} to the campaign again`;
    if (reason !== "no_pool" || (campaign.status === "active" && runs)) return [];
    return [
      {
        ...common,
        subject,
        title: `${rewardsWait(count)} for a pool of “${campaign.name}”`,
        detail: `${ended ? REMEDY_ONCE_ENDED : remedy}. Without a pool for ${store} these rewards cannot be claimed.`,
        path: `/campaigns/${campaign.id}`,
        action: runs && !ended ? "Choose a pool" : "Open campaign",
        needs: "member",
      },
    ];
  });
}
