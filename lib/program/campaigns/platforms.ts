import { and, eq, inArray, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { PlatformRules } from "@/lib/contract/campaign";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { campaignPlatforms, pools, refereesInLine } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";

/**
 * The platform whose reward pool pays a reward, as in wait_reasons; null if the campaign runs on none that could. In the
 * statement, `r` is the reward, `c` its campaign and `f` its referrer.
 */
export const payingPlatform = (appId: string): SQL => sql`(
  select o.platform from campaign_platforms o
   where o.app_id = ${appId} and o.campaign_id = r.campaign_id and o.platform in (
     r.platform, reward_platform(c.rewards_on, r.platform, r.waits_on, f.metadata))
   order by o.reward_pool_id is null, o.platform = r.platform limit 1)`;

type Rules = Partial<Record<Platform, PlatformRules | undefined>>;

interface Need {
  field: string;
  platform: Platform;
  use: "referee" | "reward";
  id: string;
}

function poolsNeeded(rules: Rules): Need[] {
  return PLATFORMS.flatMap((platform) => {
    const { refereePoolId, rewardPoolId } = rules[platform] ?? {};
    const group = `platforms.${platform}`;
    return [
      ...(refereePoolId
        ? [{ field: `${group}.refereePoolId`, platform, use: "referee" as const, id: refereePoolId }]
        : []),
      ...(rewardPoolId
        ? [{ field: `${group}.rewardPoolId`, platform, use: "reward" as const, id: rewardPoolId }]
        : []),
    ];
  });
}

/**
 * Throws VALIDATION_ERROR unless every pool is this app's, of the same platform and for the same use. Keeps them from being
 * deleted until the transaction ends.
 */
export async function checkPools(ctx: Context, rules: Rules): Promise<void> {
  const needed = poolsNeeded(rules);
  if (needed.length === 0) return;
  const ids = needed.map(({ id }) => id);
  const found = await ctx.db.orm
    .select({ id: pools.id, platform: pools.platform, use: pools.use })
    .from(pools)
    .where(and(eq(pools.appId, ctx.app.id), inArray(pools.id, ids)))
    .orderBy(pools.id)
    .for("key share");
  for (const { field, platform, use, id } of needed) {
    const fits = found.some((pool) => pool.id === id && pool.platform === platform && pool.use === use);
    if (!fits)
      fail("VALIDATION_ERROR", `${field} must be a ${use} pool of this app for ${platform}`, { field });
  }
}

/** Replaces the rules of both platforms; those in `granting` begin to grant the rewards that become due. */
export async function replacePlatforms(
  db: Db,
  appId: string,
  campaignId: string,
  rules: Rules,
  granting: ReadonlySet<Platform> = new Set(),
): Promise<void> {
  const { appId: app, campaignId: campaign, platform: on } = campaignPlatforms;
  const rows = PLATFORMS.flatMap((platform) => {
    const rule = rules[platform];
    const start = granting.has(platform) ? { grantAfter: NIL_ID, granted: 0 } : {};
    return rule ? [{ platform, values: { ...rule, ...start } }] : [];
  });
  const running = rows.map(({ platform }) => platform);
  await db.orm
    .delete(campaignPlatforms)
    .where(and(eq(app, appId), eq(campaign, campaignId), notInArray(on, running)));
  // A platform that was removed and is added again still has codes set aside.
  const withLine = await platformsWithLine(db, appId, campaignId);
  for (const { platform, values } of rows) {
    await db.orm
      .insert(campaignPlatforms)
      .values({ ...values, appId, campaignId, platform, hasLine: withLine.has(platform) })
      .onConflictDoUpdate({ target: [app, campaign, on], set: values });
  }
}

/** The platforms on which a campaign has codes set aside; separate, because a cluster refuses it in an insert. */
async function platformsWithLine(db: Db, app: string, campaign: string): Promise<ReadonlySet<Platform>> {
  const { appId, campaignId, platform, codeId } = refereesInLine;
  const rows = await db.orm
    .selectDistinct({ platform })
    .from(refereesInLine)
    .where(and(eq(appId, app), eq(campaignId, campaign), isNotNull(codeId)));
  return new Set(rows.map((row) => row.platform));
}
