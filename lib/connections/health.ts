import { and, desc, eq, gte, sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { type ConnectionHealth, VERDICTS } from "@/lib/contract/provider";
import { providerEvents } from "@/lib/db/schema";
import { SCAN_ROWS } from "@/lib/db/walk";
import { idFrom } from "@/lib/maintenance/chunks";

const DAY = 86_400_000;

/** When a connection last told something, and what became of the last 24 hours; of the newest 10,000 events. */
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
    .where(and(own, gte(providerEvents.id, idFrom(new Date(Date.now() - DAY)))))
    .orderBy(desc(providerEvents.id))
    .limit(SCAN_ROWS)
    .as("newest");
  const counts = await orm
    .select({ verdict: newest.verdict, events: sql<number>`count(*)::int` })
    .from(newest)
    .groupBy(newest.verdict);
  const day = VERDICTS.flatMap((verdict) => counts.filter((row) => row.verdict === verdict));
  return { last: last ?? null, day };
}
