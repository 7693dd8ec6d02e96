import {
  type CampaignRulesInput,
  type CreateCampaignForm,
  campaignRules,
  NEW_POOL,
  newPoolName,
  type PlatformForm,
  type RuleForm,
  type UpdateCampaignForm,
} from "@/lib/contract/campaign";
import type { RulesUpdate } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORMS } from "@/lib/contract/format";
import { AppError } from "@/lib/platform/errors";
import { parseInput } from "@/lib/platform/parse-input";
import { setAsideFor, takeExpiringBack } from "@/lib/program/line/line";
import { createPool } from "@/lib/program/pools/pools";
import type { Context } from "@/lib/tenants/context";
import { createCampaign } from "./create";
import { grantAfterUpdate } from "./granting";
import { activateCampaign } from "./lifecycle";
import { updateRules } from "./update";

/**
 * Creates a campaign with the new pools of its form and activates it if the form says so: all of it or nothing.
 * Throws VALIDATION_ERROR, and CONFLICT if another referral campaign is active.
 */
export function createFromForm(ctx: Context, form: CreateCampaignForm): Promise<{ id: string }> {
  return ctx.db.transaction(async (db) => {
    const inTransaction = { ...ctx, db };
    const rules = await rulesFromForm(inTransaction, form);
    const campaign = await createCampaign(inTransaction, { ...rules, type: form.type });
    if (form.start) await activateCampaign(inTransaction, campaign.id, form.replacing);
    return campaign;
  });
}

/** Thrown to roll back the pools of an update that the sender has not agreed to. */
class NotSaved extends Error {
  constructor(readonly update: RulesUpdate) {
    super("not saved");
  }
}

/**
 * Replaces a campaign's rules with those of its form and grants the rewards that this makes due. If there are more
 * than `agreed`, it changes nothing and returns the rewards that would be due. Throws VALIDATION_ERROR, NOT_FOUND,
 * CONFLICT once the campaign has ended.
 */
export async function updateFromForm(ctx: Context, form: UpdateCampaignForm): Promise<RulesUpdate> {
  const saving = ctx.db.transaction(async (db) => {
    const inTransaction = { ...ctx, db };
    const rules = await rulesFromForm(inTransaction, form);
    const update = await updateRules(inTransaction, form.campaignId, rules, form.agreed);
    if (!update.saved) throw new NotSaved(update);
    return update;
  });
  const update = await saving.catch((error: unknown) => {
    if (error instanceof NotSaved) return error.update;
    throw error;
  });
  if (update.saved) {
    // After the commit, which unlocks the campaign: both lock the budgets of all campaigns in one order.
    await takeExpiringBack(ctx, null);
    await setAsideFor(ctx, form.campaignId);
    await grantAfterUpdate(ctx, form.campaignId);
  }
  return update;
}

/** The rules that a form sends, with the pools that it asks for; the rules' own schema drops its other fields. */
async function rulesFromForm(ctx: Context, form: RuleForm): Promise<CampaignRulesInput> {
  const platforms: Partial<Record<Platform, object>> = {};
  for (const platform of PLATFORMS) {
    const rules = form.platforms?.[platform];
    if (rules?.on) platforms[platform] = { ...rules, ...(await createPools(ctx, platform, rules)) };
  }
  return parseInput(campaignRules, { ...form, name: form.name ?? "", platforms });
}

async function createPools(ctx: Context, platform: Platform, form: PlatformForm) {
  return {
    refereePoolId: await poolOf(ctx, platform, "referee", form.refereePoolId, form.newRefereePool),
    rewardPoolId: await poolOf(ctx, platform, "reward", form.rewardPoolId, form.newRewardPool),
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
