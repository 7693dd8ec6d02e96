import { and, eq, ne } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { type CampaignRules, campaignRules } from "@/lib/contract/campaign";
import { campaigns } from "@/lib/db/schema";
import { parseInput } from "@/lib/parse-input";
import { checkPools, replacePlatforms } from "./platforms";
import { refuseTransition } from "./transition";

/** Replaces a campaign's rules, whether it runs or not. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT once it has ended. */
export async function updateCampaign(ctx: Context, id: string, input: CampaignRules): Promise<void> {
  const { platforms, startsAt = null, endsAt = null, ...rules } = parseInput(campaignRules, input);
  await checkPools(ctx, platforms);
  const changed = await ctx.db.transaction(async (db) => {
    // The update locks the row, so that two of them do not mix their platforms.
    const rows = await db.orm
      .update(campaigns)
      .set({ ...rules, startsAt, endsAt })
      .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, id), ne(campaigns.status, "ended")))
      .returning({ id: campaigns.id });
    if (rows.length > 0) await replacePlatforms(db, ctx.app.id, id, platforms);
    return rows.length > 0;
  });
  if (!changed) await refuseTransition(ctx, id, "changed");
}
