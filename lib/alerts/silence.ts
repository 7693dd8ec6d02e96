import { and, desc, eq } from "drizzle-orm";
import type { Alert } from "@/lib/alerts/alert";
import { type Connection, toView } from "@/lib/connections/connection";
import { listConnections } from "@/lib/connections/list";
import type { Context } from "@/lib/context";
import { providerEvents } from "@/lib/db/schema";
import { DAY_MS } from "@/lib/stats/tail";

/** The newest events tell how often a provider usually speaks. */
const LOOKED_AT = 20;
const FEWEST = 5;

/** Silence is told after so many of the usual pauses, and never before three days. */
const PAUSES = 5;
const SHORTEST_MS = 3 * DAY_MS;

/** When the newest events of a connection came, newest first, along provider_events_connection. */
async function newestTimes(ctx: Context, connectionId: string): Promise<number[]> {
  const rows = await ctx.db.orm
    .select({ at: providerEvents.createdAt })
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.connectionId, connectionId)))
    .orderBy(desc(providerEvents.id))
    .limit(LOOKED_AT);
  return rows.map(({ at }) => at.getTime());
}

/** Whether somebody who spoke at these times, newest first, is silent for longer than fits the habit. */
export function isSilent(times: number[], now: number): boolean {
  const [newest, oldest] = [times[0], times.at(-1)];
  if (newest === undefined || oldest === undefined || times.length < FEWEST) return false;
  const pause = (newest - oldest) / (times.length - 1);
  return now - newest > Math.max(SHORTEST_MS, PAUSES * pause);
}

async function ofConnection(ctx: Context, connection: Connection, now: number): Promise<Alert[]> {
  const { id, refusedAt } = connection;
  const { label } = toView(connection);
  const times = await newestTimes(ctx, id);
  const about = { subject: id, path: `/providers/${id}` };
  if (refusedAt && refusedAt.getTime() > (times[0] ?? 0)) {
    const title = `Deliveries of ${label} are refused`;
    const detail = "They come without the right secret, so nothing is confirmed.";
    return [{ kind: "provider_refused", ...about, title, detail }];
  }
  if (!isSilent(times, now)) return [];
  const title = `${label} has stopped sending events`;
  const detail = "Look at its webhook settings: without its events no referral is confirmed.";
  return [{ kind: "provider_silent", ...about, title, detail }];
}

/** Providers that used to speak and do not, or whose proof is wrong. One that never spoke is being set up. */
export async function providerAlerts(ctx: Context, now = Date.now()): Promise<Alert[]> {
  const found: Alert[] = [];
  for (const connection of await listConnections(ctx)) {
    if (connection.enabled) found.push(...(await ofConnection(ctx, connection, now)));
  }
  return found;
}
