import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { apps, campaignPlatforms } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { moveCampaign } from "./transition";

/**
 * Starts a draft; `replacing` names an active campaign that is paused with it. Throws CONFLICT where another referral
 * campaign of the app is active, and names it; VALIDATION_ERROR where the app has no store id for one of its platforms.
 */
export async function activateCampaign(ctx: Context, campaignId: string, replacing?: string): Promise<void> {
  await requireStoreIds(ctx, campaignId);
  await moveCampaign(ctx, campaignId, {
    from: ["draft"],
    to: "active",
    done: "activated",
    event: "campaign.activated",
    replacing,
  });
}

/** Without its store id a platform's codes would come with a link that leads nowhere. */
async function requireStoreIds(ctx: Context, campaignId: string): Promise<void> {
  const rows = await ctx.db.orm
    .select({ platform: campaignPlatforms.platform, apple: apps.appleAppId, android: apps.androidPackage })
    .from(campaignPlatforms)
    .innerJoin(apps, eq(apps.id, campaignPlatforms.appId))
    .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.campaignId, campaignId)));
  for (const { platform, apple, android } of rows) {
    if (platform === "ios" && !apple) {
      fail("VALIDATION_ERROR", "Set the app's Apple app id before a campaign runs on iOS", {
        field: "appleAppId",
      });
    }
    if (platform === "android" && !android) {
      fail("VALIDATION_ERROR", "Set the app's Android package before a campaign runs on Android", {
        field: "androidPackage",
      });
    }
  }
}
