import { and, desc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { campaignPlatforms, campaigns } from "@/lib/db/schema";

type Row = typeof campaigns.$inferSelect;

/** A campaign with what it says for each platform it runs on. */
export interface Campaign extends Row {
  platforms: (typeof campaignPlatforms.$inferSelect)[];
}

/** The app's campaigns, the newest first, each with iOS before Android. */
export async function listCampaigns(ctx: Context, campaignId?: string): Promise<Campaign[]> {
  const rows = await ctx.db.orm
    .select()
    .from(campaigns)
    .leftJoin(
      campaignPlatforms,
      and(eq(campaignPlatforms.appId, campaigns.appId), eq(campaignPlatforms.campaignId, campaigns.id)),
    )
    .where(and(eq(campaigns.appId, ctx.app.id), campaignId ? eq(campaigns.id, campaignId) : undefined))
    .orderBy(desc(campaigns.id), desc(campaignPlatforms.platform));
  const found = new Map<string, Campaign>();
  for (const row of rows) {
    const campaign = found.get(row.campaigns.id) ?? { ...row.campaigns, platforms: [] };
    if (row.campaign_platforms) campaign.platforms.push(row.campaign_platforms);
    found.set(campaign.id, campaign);
  }
  return [...found.values()];
}
