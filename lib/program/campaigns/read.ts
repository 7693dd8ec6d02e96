import { and, desc, eq, inArray } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import { campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";

type Row = typeof campaigns.$inferSelect;

/** A campaign with its rules for each platform it runs on. */
export interface Campaign extends Row {
  platforms: (typeof campaignPlatforms.$inferSelect)[];
}

/** Whether the campaign's budget has room for one more code, or has yet to be counted. */
export const mayAssignCodes = ({ codeBudget, spentCodes, recountAt }: Campaign): boolean =>
  codeBudget === null || spentCodes < codeBudget || recountAt !== null;

/** Milliseconds at which a campaign became the app's current one: its activation or last resume. */
export const currentSince = ({ activatedAt, resumedAt }: Campaign): number =>
  Number(resumedAt ?? activatedAt);

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

/** A campaign of the app with its platforms. Throws NOT_FOUND, also for another app's campaign and a malformed id. */
export async function getCampaign(ctx: Context, campaignId: string): Promise<Campaign> {
  const [campaign] = isUuid(campaignId) ? await listCampaigns(ctx, campaignId) : [];
  return campaign ?? fail("NOT_FOUND", "There is no such campaign");
}

/** Names of these campaigns of the app, by id. */
export async function campaignNames(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.orm
    .select({ id: campaigns.id, name: campaigns.name })
    .from(campaigns)
    .where(and(eq(campaigns.appId, ctx.app.id), inArray(campaigns.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
