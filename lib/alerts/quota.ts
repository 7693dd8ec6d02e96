import { and, eq } from "drizzle-orm";
import type { Alert } from "@/lib/alerts/alert";
import type { Context } from "@/lib/context";
import { quotaUsage, workspaces } from "@/lib/db/schema";
import { limitOf } from "@/lib/quota/limit";
import { monthOf } from "@/lib/quota/usage";

const WARN_AT = 0.8;

/** The workspace's month when 80 % or all of it is used: two alerts, so that the second is told as well. */
export async function quotaAlerts({ db, workspace }: Context, now = new Date()): Promise<Alert[]> {
  const month = monthOf(now).start.toISOString().slice(0, 10);
  const [row] = await db.orm
    .select({ used: quotaUsage.used, workspace: workspaces })
    .from(quotaUsage)
    .innerJoin(workspaces, eq(workspaces.id, quotaUsage.workspaceId))
    .where(and(eq(quotaUsage.workspaceId, workspace.id), eq(quotaUsage.month, month)));
  if (!row) return [];
  const limit = limitOf(row.workspace);
  const counts = `${row.used.toLocaleString("en")} of ${limit.toLocaleString("en")} requests of this month are used.`;
  const line = (part: number, title: string, detail: string): Alert[] =>
    row.used >= limit * part
      ? [{ kind: "quota", subject: `${month} ${part * 100}`, title, detail: `${counts} ${detail}`, path: "" }]
      : [];
  return [
    ...line(WARN_AT, "80 % of the monthly quota is used", "When all are used, API requests are refused."),
    ...line(1, "The monthly quota is used up", "API requests are refused until the month ends."),
  ];
}
