import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { ReferrerView } from "@/lib/contract/timeline";
import { isUuid } from "@/lib/contract/uuid";
import { campaigns, referrers } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { labelOf } from "./label";
import { type FoundReferrer, toReferrerResponse } from "./present";

/** One referrer with its stats and progress exactly as the API shows them. Throws NOT_FOUND. */
export async function getReferrer(ctx: Context, id: string): Promise<ReferrerView> {
  const [found] = isUuid(id)
    ? await ctx.db.orm
        .select({ row: referrers, campaign: { id: campaigns.id, name: campaigns.name } })
        .from(referrers)
        .leftJoin(
          campaigns,
          and(eq(campaigns.appId, referrers.appId), eq(campaigns.id, referrers.campaignId)),
        )
        .where(and(eq(referrers.appId, ctx.app.id), eq(referrers.id, id)))
    : [];
  if (!found) return fail("NOT_FOUND", "There is no such referrer");
  const { row, campaign } = found;
  const told = await ctx.db.call<FoundReferrer>("get_referrer", [ctx.app.id, row.uid, null, 0, 0]);
  const { referral_link: link, status: shown, stats, progress } = toReferrerResponse(ctx.app, told);
  const { uid, status, notes, metadata, createdAt } = row;
  return {
    ...labelOf(row),
    ...{ uid, link, status, shown, campaign, notes, metadata, stats, progress, createdAt },
    influencer: row.campaignId !== null,
  };
}
