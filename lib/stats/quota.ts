import { and, eq, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Quota } from "@/lib/contract/overview";
import { quotaUsage, workspaces } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { PLAN_QUOTA } from "@/lib/quota/plans";

const thisMonth = sql`date_trunc('month', now() at time zone 'UTC')::date`;

/** Requests that the app's workspace has used of its month (UTC); shares handed out ahead count as used. */
export async function quotaOf(ctx: Context): Promise<Quota> {
  const [row] = await ctx.db.orm
    .select({ plan: workspaces.plan, override: workspaces.quotaOverride, used: quotaUsage.used })
    .from(workspaces)
    .leftJoin(quotaUsage, and(eq(quotaUsage.workspaceId, workspaces.id), eq(quotaUsage.month, thisMonth)))
    .where(eq(workspaces.id, ctx.workspace.id));
  if (!row) return fail("NOT_FOUND", "There is no such workspace");
  const now = new Date();
  return {
    used: row.used ?? 0,
    limit: row.override ?? PLAN_QUOTA[row.plan],
    resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
  };
}
