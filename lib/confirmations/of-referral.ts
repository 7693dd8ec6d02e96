import { and, desc, eq } from "drizzle-orm";
import { payloadText } from "@/lib/confirmations/event";
import type { Context } from "@/lib/context";
import type { EventLine } from "@/lib/contract/timeline";
import { providerEvents } from "@/lib/db/schema";

const SHOWN = 50;

/** What providers told about one referral, with what they sent; the newest. */
export async function eventsOfReferral(ctx: Context, referralId: string): Promise<EventLine[]> {
  const rows = await ctx.db.orm
    .select()
    .from(providerEvents)
    .where(and(eq(providerEvents.appId, ctx.app.id), eq(providerEvents.referralId, referralId)))
    .orderBy(desc(providerEvents.id))
    .limit(SHOWN);
  return rows.map((event) => ({
    ...{ kind: "event", at: event.createdAt, id: event.id, connectionId: event.connectionId },
    ...{ type: event.type, verdict: event.verdict, payload: payloadText(event) },
    matchedBy: event.matchedBy?.links || event.matchedBy?.purchase ? event.matchedBy : null,
  }));
}
