import { and, asc, eq, inArray, isNotNull, or } from "drizzle-orm";
import type { Alert } from "@/lib/alerts/alert";
import type { Context } from "@/lib/context";
import { webhookEndpoints } from "@/lib/db/schema";

/** Endpoints whose owners had to be warned, and those that were switched off because they took nothing any more. */
export async function webhookAlerts(ctx: Context): Promise<Alert[]> {
  const { appId, id, url, enabled, warnedAt, disabledReason } = webhookEndpoints;
  const failing = and(eq(enabled, true), isNotNull(warnedAt));
  const off = and(eq(enabled, false), inArray(disabledReason, ["gone", "failing"]));
  const rows = await ctx.db.orm
    .select({ id, url, enabled })
    .from(webhookEndpoints)
    .where(and(eq(appId, ctx.app.id), or(failing, off)))
    .orderBy(asc(id));
  return rows.map((row) => ({
    kind: "webhook_failing",
    // Being switched off is news again.
    subject: row.enabled ? row.id : `${row.id} off`,
    title: `${new URL(row.url).host} ${row.enabled ? "does not take events" : "was switched off"}`,
    detail: row.enabled
      ? "Its deliveries are tried again, ever more slowly. It is switched off after five days without a success."
      : "It took no events any more. Mend it, switch it on, and send again what failed.",
    path: `/webhooks/${row.id}`,
  }));
}
