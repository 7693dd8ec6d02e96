import { and, desc, eq } from "drizzle-orm";
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
  return rows.map(({ id, connectionId, type, verdict, payload, createdAt }) => ({
    ...{ kind: "event", at: createdAt, id, connectionId, type, verdict },
    payload: JSON.stringify(payload, null, 2),
  }));
}
