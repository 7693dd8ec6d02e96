import { and, desc, eq, gte } from "drizzle-orm";
import { toEventView } from "@/lib/confirmations/event";
import type { Context } from "@/lib/context";
import type { EventView } from "@/lib/contract/provider";
import { providerEvents } from "@/lib/db/schema";

const SHOWN = 20;
const { appId, verdict, createdAt } = providerEvents;

/** Unmatched events that came after a moment, such as the one when a referee got the code; the newest. */
export async function unlinkedSince(ctx: Context, since: Date): Promise<EventView[]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(appId, ctx.app.id), eq(verdict, "unmatched"), gte(createdAt, since)))
    .orderBy(desc(createdAt), desc(providerEvents.id))
    .limit(SHOWN);
  return rows.map(toEventView);
}
