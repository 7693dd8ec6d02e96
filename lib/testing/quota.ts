import { and, eq, sql } from "drizzle-orm";
import { outbox, quotaUsage } from "@/lib/platform/db/schema";
import type { Tenant } from "@/lib/testing/tenant";

/** Units that the database has counted this month, leased ones included. */
export async function usedBy({ ctx }: Tenant): Promise<number> {
  const [row] = await ctx.db.orm
    .select({ used: quotaUsage.used })
    .from(quotaUsage)
    .where(
      and(
        eq(quotaUsage.workspaceId, ctx.workspace.id),
        eq(quotaUsage.month, sql`date_trunc('month', now() at time zone 'utc')::date`),
      ),
    );
  return row?.used ?? 0;
}

/** Percentages of the quota at which the workspace was warned, in order. */
export async function warningsOf({ ctx }: Tenant): Promise<number[]> {
  const rows = await ctx.db.orm
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "quota.warning")))
    .orderBy(outbox.id);
  return rows.map(({ payload }) => (payload as { percent: number }).percent);
}
