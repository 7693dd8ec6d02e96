import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { campaigns } from "@/lib/db/schema";
import { endCampaign } from "./end";

/**
 * Ends the campaigns whose end has passed, with their event and a line of the audit log each. Of several processes one
 * has the row; an end that was put off meanwhile is seen under its lock.
 */
export async function endDueCampaigns(ctx: Context): Promise<void> {
  await ctx.db.transaction(async (db) => {
    const due = await db.orm
      .select({ id: campaigns.id })
      .from(campaigns)
      .where(
        and(
          eq(campaigns.appId, ctx.app.id),
          inArray(campaigns.status, ["active", "paused"]),
          lte(campaigns.endsAt, sql`now()`),
        ),
      )
      .for("update", { skipLocked: true });
    for (const { id } of due) await endCampaign({ ...ctx, db }, id);
  });
}
