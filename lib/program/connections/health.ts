import { and, desc, eq, gte, sql } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import { type ConnectionHealth, VERDICTS } from "@/lib/contract/provider";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { connectionRefusals, providerEvents } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";

/**
 * The last event of a connection, the outcomes of its last 24 hours among the newest 10,000 events, and the hours in which
 * deliveries were refused.
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
  return ctx.db.orm
    .select({ hour, deliveries, lastAt })
    .from(connectionRefusals)
    .where(and(eq(appId, ctx.app.id), eq(connectionId, id)))
    .orderBy(desc(hour))
    .limit(HOURS);
}
