import type { Context } from "@/lib/context";
import { moveCampaign } from "./transition";

/**
 * Goes on after a pause; `replacing` names an active campaign that is paused with it. Throws CONFLICT where another
 * referral campaign of the app has become active.
 */
export async function resumeCampaign(ctx: Context, campaignId: string, replacing?: string): Promise<void> {
  await moveCampaign(ctx, campaignId, { from: ["paused"], to: "active", done: "resumed", replacing });
}
