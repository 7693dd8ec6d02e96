import { and, desc, eq, gte, inArray, lt, sql, sum } from "drizzle-orm";
import { DAY_MS, isoDay } from "@/lib/contract/format";
import type { Quota } from "@/lib/contract/overview";
import { quotaWarnLine } from "@/lib/contract/quota";
import type { Db } from "@/lib/platform/db/client";
import { alerts, apps, keyUsageDays, quotaUsage, workspaces } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { limitOf } from "./plans";

/** The workspace's current month (UTC) and the months before it. */
interface QuotaReport {
  limit: number;
  used: number;
  resetAt: Date;
  /** Requests by the end of the month at the current rate; null on the first day, when the rate says little. */
  projected: number | null;
  /** Requests of every month with any, newest first, including the current one. */
  months: { month: string; used: number }[];
  /** Answered requests this month by app, the busiest first. */
  apps: { id: string; name: string; requests: number }[];
}

/** Requests by the end of the month at the current rate. */
export function projection(used: number, now: Date): number | null {
  const { start, end } = monthOf(now);
  const passed = now.getTime() - start.getTime();
  if (passed < DAY_MS) return null;
  return Math.round((used * (end.getTime() - start.getTime())) / passed);
}

/** The calendar month (UTC) of a date. */
export function monthOf(now: Date): { start: Date; end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) };
}

/** A workspace's requests this month (UTC); units that processes took ahead count as used. */
export async function getQuota({ db, workspace }: Pick<Context, "db" | "workspace">): Promise<Quota> {
  const { start, end } = monthOf(new Date());
  const thisMonth = and(eq(quotaUsage.workspaceId, workspaces.id), eq(quotaUsage.month, isoDay(start)));
  const [row] = await db.orm
    .select({ plan: workspaces.plan, quotaOverride: workspaces.quotaOverride, used: quotaUsage.used })
    .from(workspaces)
    .leftJoin(quotaUsage, thisMonth)
    .where(eq(workspaces.id, workspace.id));
  if (!row) return fail("NOT_FOUND", "There is no such workspace");
  return { used: row.used ?? 0, limit: limitOf(row), resetsAt: end };
}

/** The quota of the workspace and its use. Throws NOT_FOUND for a deleted workspace. */
export async function getQuotaReport(ctx: WorkspaceContext, now = new Date()): Promise<QuotaReport> {
  const { id } = ctx.workspace;
  const [workspace] = await ctx.db.orm.select().from(workspaces).where(eq(workspaces.id, id));
  if (!workspace) return fail("NOT_FOUND", "There is no such workspace");
  const { start, end } = monthOf(now);
  const month = isoDay(start);
  const months = await ctx.db.orm
    .select({ month: quotaUsage.month, used: quotaUsage.used })
    .from(quotaUsage)
    .where(eq(quotaUsage.workspaceId, id))
    .orderBy(desc(quotaUsage.month));
  const used = months.find((row) => row.month === month)?.used ?? 0;
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

/**
 * Resets the month's alerts that a larger limit has solved, so that they are sent again if a smaller one follows. The events
 * are reset by the smaller one: processes count with the former limit for 5 s, and would send them again at once.
 */
export async function endSolvedAlerts(
  { orm }: Db,
  workspaceId: string,
  { limit, former }: { limit: number; former: number },
): Promise<void> {
  const month = eq(quotaUsage.month, isoDay(monthOf(new Date()).start));
  const solvedBy = (larger: number) =>
    and(eq(quotaUsage.workspaceId, workspaceId), month, lt(quotaUsage.used, quotaWarnLine(larger)));
  if (limit < former) await orm.update(quotaUsage).set({ alerted: 0 }).where(solvedBy(former));
  const { rowCount } = await orm.update(quotaUsage).set({ mailed: 0 }).where(solvedBy(limit));
  if (!rowCount) return;
  const owned = await orm.select({ id: apps.id }).from(apps).where(eq(apps.workspaceId, workspaceId));
  const ids = owned.map(({ id }) => id);
  await orm.delete(alerts).where(and(inArray(alerts.appId, ids), eq(alerts.kind, "quota")));
}
