import type { Context } from "@/lib/context";
import { NEW_POOL, type NewCampaignForm, newPoolName, type PlatformForm } from "@/lib/contract/campaign-form";
import type { Platform } from "@/lib/contract/fields";
import { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { createPool } from "@/lib/pools/create";

const PLATFORMS = ["ios", "android"] as const;

type Fields = Pick<
  NewCampaignForm,
  "name" | "startsAt" | "endsAt" | "safetyMarginHours" | "confirmOn" | "confirmAnyRenewal" | "platforms"
>;

/**
 * A form's fields as the rules of a campaign, which its verb checks. Pools that are to be made are made here, so call it
 * in the transaction of the campaign. Throws VALIDATION_ERROR at the field of a pool's name.
 */
export async function rulesFromForm(ctx: Context, form: Fields) {
  const platforms: Partial<Record<Platform, Awaited<ReturnType<typeof platformRules>>>> = {};
  for (const platform of PLATFORMS) {
    const given = form.platforms?.[platform];
    if (given?.on) platforms[platform] = await platformRules(ctx, platform, given);
  }
  const { name = "", startsAt, endsAt, safetyMarginHours, confirmOn } = form;
  return {
    ...{ name, startsAt, endsAt, safetyMarginHours, platforms },
    // The verb's own schema refuses what is neither.
    confirmOn: confirmOn as "start" | "paid" | undefined,
    confirmAnyRenewal: form.confirmAnyRenewal === "on",
  };
}

async function platformRules(ctx: Context, platform: Platform, given: PlatformForm) {
  const { threshold = Number.NaN, instructions, rewardCap } = given;
  return {
    ...{ threshold, instructions, rewardCap },
    refereePoolId: await poolOf(ctx, platform, "referee", given.refereePoolId, given.newRefereePool),
    rewardPoolId: await poolOf(ctx, platform, "reward", given.rewardPoolId, given.newRewardPool),
  };
}

async function poolOf(
  ctx: Context,
  platform: Platform,
  use: "referee" | "reward",
  chosen: string | undefined,
  newName: string | undefined,
): Promise<string | undefined> {
  if (chosen !== NEW_POOL) return chosen;
  try {
    return (await createPool(ctx, { platform, use, name: parseInput(newPoolName, newName) })).id;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") throw error;
    const field = `platforms.${platform}.${use === "referee" ? "newRefereePool" : "newRewardPool"}`;
    throw new AppError("VALIDATION_ERROR", error.message, { field, cause: error });
  }
}
