import { sqlFunction } from "@/lib/platform/db/calls";
import { COMMIT_S } from "@/lib/platform/jobs/rounds";
import type { Context } from "@/lib/tenants/context";

const COUNT_BUDGET = sqlFunction("count_budget", {
  app: "uuid",
  campaign: "uuid",
  again: "int?",
}).returns<void>();

/**
 * Counts what a campaign has spent, in the transaction that stores its budgets. Without a budget nothing is counted, so redeems
 * and claims that are under way are missing; the first one after they have ended counts again.
 */
export const countBudget = (ctx: Context, campaignId: string): Promise<void> =>
  ctx.db.call(COUNT_BUDGET, { app: ctx.app.id, campaign: campaignId, again: COMMIT_S });
