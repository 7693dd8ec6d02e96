import type { Context } from "@/lib/context";
import type { ChangedCampaignForm, NewCampaignForm } from "@/lib/contract/campaign-form";
import { activateCampaign } from "./activate";
import { createCampaign } from "./create";
import { rulesFromForm } from "./from-form";
import { changeRules, grantAfter, type Updated } from "./update";

/**
 * Makes a campaign with the pools that its form asks for and starts it where that is asked: all of it or nothing.
 * Throws VALIDATION_ERROR, and CONFLICT where another referral campaign is active.
 */
export function createFromForm(ctx: Context, form: NewCampaignForm): Promise<{ id: string }> {
  return ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db };
    const made = await createCampaign(inside, { type: form.type, ...(await rulesFromForm(inside, form)) });
    if (form.start) await activateCampaign(inside, made.id, form.replacing);
    return made;
  });
}

/** Thrown to undo the pools of a change that has to be agreed to first. */
class Unsaved extends Error {
  constructor(readonly updated: Updated) {
    super("not saved");
  }
}

/** Replaces a campaign's rules by those of its form; see `updateCampaign` for what has to be agreed to. */
export async function updateFromForm(ctx: Context, form: ChangedCampaignForm): Promise<Updated> {
  const change = ctx.db.transaction(async (db) => {
    const inside = { ...ctx, db };
    const rules = await rulesFromForm(inside, form);
    const updated = await changeRules(inside, form.campaignId, rules, form.agreed);
    if (!updated.saved) throw new Unsaved(updated);
    return updated;
  });
  const updated = await change.catch((error: unknown) => {
    if (error instanceof Unsaved) return error.updated;
    throw error;
  });
  await grantAfter(ctx, form.campaignId, updated);
  return updated;
}
