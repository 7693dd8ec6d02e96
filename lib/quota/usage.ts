import { and, desc, eq, gte, sql, sum } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import { apps, keyUsageDays, quotaUsage, workspaces } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { limitOf } from "./limit";

/** The workspace's month (UTC) so far, and the ones before it. */
interface QuotaReport {
  limit: number;
  used: number;
  resetAt: Date;
  /** Requests by the end of the month at the pace until now; null in its first day, which says too little. */
  projected: number | null;
  /** Requests of every month that counted any, the newest first; this one among them. */
  months: { month: string; used: number }[];
  /** Answered requests of this month by app, the busiest first. */
  apps: { id: string; name: string; requests: number }[];
}

const DAY = 86_400_000;

/** What a pace comes to over the whole month. */
export function projection(used: number, now: Date): number | null {
  const { start, end } = monthOf(now);
  const passed = now.getTime() - start.getTime();
  if (passed < DAY) return null;
  return Math.round((used * (end.getTime() - start.getTime())) / passed);
}

/** The calendar month (UTC) of a moment. */
export function monthOf(now: Date): { start: Date; end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Reads how much of its quota the workspace has used. Throws NOT_FOUND where it has just gone. */
export async function readQuota(ctx: WorkspaceContext, now = new Date()): Promise<QuotaReport> {
  const { id } = ctx.workspace;
  const [workspace] = await ctx.db.orm.select().from(workspaces).where(eq(workspaces.id, id));
  if (!workspace) return fail("NOT_FOUND", "There is no such workspace");
  const { start, end } = monthOf(now);
  const month = start.toISOString().slice(0, 10);
  const months = await ctx.db.orm
    .select({ month: quotaUsage.month, used: quotaUsage.used })
    .from(quotaUsage)
    .where(eq(quotaUsage.workspaceId, id))
    .orderBy(desc(quotaUsage.month));
  const used = months.find((one) => one.month === month)?.used ?? 0;
  return {
    limit: limitOf(workspace),
    used,
    resetAt: end,
    projected: projection(used, now),
    months,
    apps: await requestsByApp(ctx, month),
  };
}

async function requestsByApp({ db, workspace }: WorkspaceContext, since: string) {
  const requests = sql<number>`coalesce(${sum(keyUsageDays.requests)}, 0)::float8`;
  return db.orm
    .select({ id: apps.id, name: apps.name, requests })
    .from(apps)
    .innerJoin(keyUsageDays, and(eq(keyUsageDays.appId, apps.id), gte(keyUsageDays.day, since)))
    .where(eq(apps.workspaceId, workspace.id))
    .groupBy(apps.id, apps.name)
    .orderBy(desc(requests), apps.id)
    .limit(20);
}
