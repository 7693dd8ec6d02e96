import type { Context } from "@/lib/context";
import type { Figures } from "@/lib/contract/overview";
import { TAIL } from "@/lib/stats/tail";

const NONE: Figures = { clicked: 0, assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };

/** What has happened in each campaign of the app since it began; a campaign without a line has seen nothing. */
export async function campaignFigures(ctx: Context): Promise<(campaignId: string) => Figures> {
  const rows = await ctx.db.call<(Figures & { campaign_id: string })[]>("campaign_figures", [
    ctx.app.id,
    TAIL,
  ]);
  const found = new Map(rows.map(({ campaign_id, ...figures }) => [campaign_id, figures]));
  return (campaignId) => found.get(campaignId) ?? NONE;
}
