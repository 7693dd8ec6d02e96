import type { Context } from "@/lib/context";
import { createCampaign } from "./create";
import { getCampaign } from "./get";

const MAX_NAME = 80;
const SUFFIX = " (copy)";

/** Makes a draft with the rules of another campaign, but without its dates, which may be over. Throws NOT_FOUND. */
export async function duplicateCampaign(ctx: Context, campaignId: string): Promise<{ id: string }> {
  const { type, name, platforms, ...rules } = await getCampaign(ctx, campaignId);
  const { safetyMarginHours, confirmOn, confirmAnyRenewal } = rules;
  return createCampaign(ctx, {
    type,
    name: `${[...name]
      .slice(0, MAX_NAME - SUFFIX.length)
      .join("")
      .trimEnd()}${SUFFIX}`,
    safetyMarginHours,
    confirmOn,
    confirmAnyRenewal,
    platforms: Object.fromEntries(platforms.map((rule) => [rule.platform, rule])),
  });
}
