import { and, desc, eq, gte, min, sql, sum } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import { type ConnectionHealth, VERDICTS } from "@/lib/contract/provider";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { connectionRefusals, providerEvents } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";

/**
 * The last event of a connection, the outcomes of its last 24 hours among the newest 10,000 events, and its refused
 * deliveries.
 */
export async function connectionHealth(ctx: Context, id: string): Promise<ConnectionHealth> {
  const { orm } = ctx.db;
  const own = and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.connectionId, id));
  const [last] = await orm
    .select({ at: providerEvents.createdAt, type: providerEvents.type, verdict: providerEvents.verdict })
    .from(providerEvents)
    .where(own)
    .orderBy(desc(providerEvents.id))
    .limit(1);
  const newest = orm
    .select({ verdict: providerEvents.verdict })
    .from(providerEvents)
    .where(and(own, gte(providerEvents.id, firstIdAt(new Date(Date.now() - DAY_MS)))))
    .orderBy(desc(providerEvents.id))
    .limit(SCAN_ROWS)
    .as("newest");
  const counts = await orm
    .select({ verdict: newest.verdict, events: sql<number>`count(*)::int` })
    .from(newest)
    .groupBy(newest.verdict);
  const day = VERDICTS.flatMap((verdict) => counts.filter((row) => row.verdict === verdict));
  return { last: last ?? null, day, refusals: await refusalsOf(ctx, id) };
}

/** Hours that a page lists. */
const HOURS = 24;

async function refusalsOf(ctx: Context, id: string): Promise<ConnectionHealth["refusals"]> {
  const { appId, connectionId, hour, deliveries, lastAt } = connectionRefusals;
  const own = and(eq(appId, ctx.app.id), eq(connectionId, id));
  const [all] = await ctx.db.orm
    .select({ deliveries: sum(deliveries).mapWith(Number), since: min(hour) })
    .from(connectionRefusals)
    .where(own);
  const hours = await ctx.db.orm
    .select({ hour, deliveries, lastAt })
    .from(connectionRefusals)
    .where(own)
    .orderBy(desc(hour))
    .limit(HOURS);
  return { deliveries: all?.deliveries ?? 0, since: all?.since ?? null, hours };
}
