import type { Context } from "@/lib/context";
import { moveCampaign } from "./transition";

/** Ends a campaign for good. Throws CONFLICT where it has ended already. */
export async function endCampaign(ctx: Context, campaignId: string): Promise<void> {
  await moveCampaign(ctx, campaignId, {
    from: ["draft", "active", "paused"],
    to: "ended",
    done: "ended",
    event: "campaign.ended",
  });
}
