import { and, eq } from "drizzle-orm";
import { type Alert, alertKey } from "@/lib/alerts/alert";
import { codeAlerts } from "@/lib/alerts/codes";
import { listAlerts } from "@/lib/alerts/list";
import { quotaAlerts } from "@/lib/alerts/quota";
import { providerAlerts } from "@/lib/alerts/silence";
import { tell } from "@/lib/alerts/tell";
import { unmatchedAlerts } from "@/lib/alerts/unmatched";
import { webhookAlerts } from "@/lib/alerts/webhooks";
import type { Context } from "@/lib/context";
import { alerts } from "@/lib/db/schema";
import type { PoolStock } from "@/lib/stats/stock";

async function dueAlerts(ctx: Context, stock: PoolStock[], told: ReadonlySet<string>): Promise<Alert[]> {
  const piled = told.has(alertKey({ kind: "unmatched", subject: "unmatched" }));
  return [
    ...codeAlerts(stock),
    ...(await quotaAlerts(ctx)),
    ...(await providerAlerts(ctx)),
    ...(await webhookAlerts(ctx)),
    ...(await unmatchedAlerts(ctx, piled)),
  ];
}

/**
 * Tells what has gone wrong in an app since the last look, each thing once, however many processes look; what is mended
 * is forgotten, so that the next time is told again. Each question reads a bounded number of rows.
 */
export async function watchAlerts(ctx: Context, stock: PoolStock[]): Promise<void> {
  const known = await listAlerts(ctx);
  const told = new Set(known.map(alertKey));
  const due = await dueAlerts(ctx, stock, told);
  for (const alert of due) if (!told.has(alertKey(alert))) await tell(ctx, alert);
  const still = new Set(due.map(alertKey));
  for (const { kind, subject } of known.filter((alert) => !still.has(alertKey(alert)))) {
    await ctx.db.orm
      .delete(alerts)
      .where(and(eq(alerts.appId, ctx.app.id), eq(alerts.kind, kind), eq(alerts.subject, subject)));
  }
}
