import type { Context } from "@/lib/context";
import { moveCampaign } from "./transition";

/** Starts a draft. Throws CONFLICT where another referral campaign of the app is active, and names it. */
export async function activateCampaign(ctx: Context, campaignId: string): Promise<void> {
  await moveCampaign(ctx, campaignId, {
    from: ["draft"],
    to: "active",
    done: "activated",
    event: "campaign.activated",
  });
}
