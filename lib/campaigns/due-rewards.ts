import { freeCodes } from "@/lib/campaigns/free-codes";
import type { Context } from "@/lib/context";
import type { PlatformRules } from "@/lib/contract/campaign";
import type { DueRewards } from "@/lib/contract/due-rewards";
import type { Platform } from "@/lib/contract/fields";
import type { Campaign } from "./list";

type Rules = Partial<Record<Platform, PlatformRules | undefined>>;
type Found = Omit<DueRewards, "free">;

/** Platforms whose rule counts differently from the stored one: another threshold or cap, or a platform that is new. */
function changedPlatforms(campaign: Campaign, rules: Rules): Rules {
  if (campaign.type !== "referral" || campaign.activatedAt === null) return {};
  const entries = (["ios", "android"] as const).flatMap((platform) => {
    const given = rules[platform];
    const old = campaign.platforms.find((one) => one.platform === platform);
    const same =
      old && given && old.threshold === given.threshold && old.rewardCap === (given.rewardCap ?? null);
    return given && !same ? [[platform, given] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The rewards that parsed rules would make due, by platform; only platforms with any. Run it in the transaction of a change. */
export async function dueRewards(ctx: Context, campaign: Campaign, rules: Rules): Promise<DueRewards[]> {
  const changed = changedPlatforms(campaign, rules);
  if (Object.keys(changed).length === 0) return [];
  const asked = Object.fromEntries(
    Object.entries(changed).map(([platform, { threshold, rewardCap = null }]) => [
      platform,
      { threshold, cap: rewardCap },
    ]),
  );
  const found = await ctx.db.call<Found[]>("due_rewards", [ctx.app.id, campaign.id, JSON.stringify(asked)]);
  const due: DueRewards[] = [];
  for (const one of found.filter(({ rewards }) => rewards > 0)) {
    const pool = changed[one.platform]?.rewardPoolId;
    const enough = one.rewards + one.waiting + 1;
    const free = pool ? await freeCodes(ctx, pool, campaign.safetyMarginHours, enough) : null;
    due.push({ ...one, free });
  }
  return due;
}
