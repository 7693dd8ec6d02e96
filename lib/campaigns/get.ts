import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { fail } from "@/lib/errors";
import { type Campaign, listCampaigns } from "./list";

/** One campaign of the app with its platforms. Throws NOT_FOUND, for another app's campaign and for no id too. */
export async function getCampaign(ctx: Context, campaignId: string): Promise<Campaign> {
  const [campaign] = isUuid(campaignId) ? await listCampaigns(ctx, campaignId) : [];
  return campaign ?? fail("NOT_FOUND", "There is no such campaign");
}
