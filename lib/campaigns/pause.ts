import type { Context } from "@/lib/context";
import { moveCampaign } from "./transition";

/** Stops giving codes until it is resumed. Throws CONFLICT unless it is active. */
export async function pauseCampaign(ctx: Context, campaignId: string): Promise<void> {
  await moveCampaign(ctx, campaignId, { from: ["active"], to: "paused", done: "paused" });
}
