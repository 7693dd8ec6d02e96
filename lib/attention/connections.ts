import { and, desc, eq } from "drizzle-orm";
import { type Connection, toView } from "@/lib/connections/connection";
import { listConnections } from "@/lib/connections/list";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import { providerEvents } from "@/lib/db/schema";
import { DAY_MS } from "@/lib/stats/tail";

/** A provider also tells of renewals and cancellations: days without a word are a sign of trouble. */
const SILENT_DAYS = 3;

/** Time to paste the address into the provider's own settings. */
const GRACE_MS = 3_600_000;

/** Unmatched events are counted so far. */
const MOST = 100;

/** When a connection last told something, along provider_events_connection. */
async function lastHeard(ctx: Context, connectionId: string): Promise<Date | undefined> {
  const [last] = await ctx.db.orm
    .select({ at: providerEvents.createdAt })
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.connectionId, connectionId)))
    .orderBy(desc(providerEvents.id))
    .limit(1);
  return last?.at;
}

async function silence(ctx: Context, connection: Connection): Promise<Attention[]> {
  const { id, refusedAt, createdAt } = connection;
  const name = toView(connection).label;
  const at = await lastHeard(ctx, id);
  if (refusedAt && (!at || refusedAt > at)) return [{ kind: "provider_refused", id, name }];
  const now = Date.now();
  if (!at) return now - createdAt.getTime() > GRACE_MS ? [{ kind: "provider_never", id, name }] : [];
  return now - at.getTime() > SILENT_DAYS * DAY_MS ? [{ kind: "provider_silent", id, name, at }] : [];
}

/** Counted along provider_events_verdict. */
async function unmatched(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.db.orm
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.verdict, "unmatched")))
    .orderBy(desc(providerEvents.createdAt))
    .limit(MOST + 1);
  const count = Math.min(rows.length, MOST);
  return count > 0 ? [{ kind: "unmatched", id: "unmatched", count, more: rows.length > MOST }] : [];
}

/** Providers that do not come through, and confirmations that nobody could be found for. */
export async function connectionsAttention(ctx: Context): Promise<Attention[]> {
  const connections = (await listConnections(ctx)).filter(({ enabled }) => enabled);
  const silent: Attention[] = [];
  for (const connection of connections) silent.push(...(await silence(ctx, connection)));
  return [...silent, ...(await unmatched(ctx))];
}
