import { asc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { ALERT_KINDS, type AlertKind, type AlertView } from "@/lib/contract/alerts";
import { alerts } from "@/lib/db/schema";

const isKind = (kind: string): kind is AlertKind => (ALERT_KINDS as string[]).includes(kind);

/** What is wrong in the app and was told, the oldest first. A kind of a later version is left out. */
export async function listAlerts(ctx: Context): Promise<AlertView[]> {
  const rows = await ctx.db.orm
    .select()
    .from(alerts)
    .where(eq(alerts.appId, ctx.app.id))
    .orderBy(asc(alerts.toldAt), asc(alerts.subject));
  return rows.flatMap(({ appId: _, kind, ...row }) => (isKind(kind) ? [{ ...row, kind }] : []));
}
