import { and, desc, eq, gt } from "drizzle-orm";
import type { Alert } from "@/lib/alerts/alert";
import type { Context } from "@/lib/context";
import { providerEvents } from "@/lib/db/schema";
import { DAY_MS } from "@/lib/stats/tail";

/** So many within a day are told of; a single one is a person who bought without a code. */
const PILE = 10;

/** Once told, it is over only when half of that is left: one event more or less shall not ring again and again. */
const MENDED = PILE / 2;

/** Confirmations of the last 24 hours that wait for a person, where they pile up. Walks provider_events_verdict. */
export async function unmatchedAlerts(ctx: Context, told: boolean, now = Date.now()): Promise<Alert[]> {
  const rows = await ctx.db.orm
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(
      and(
        eq(providerEvents.appId, ctx.app.id),
        eq(providerEvents.verdict, "unmatched"),
        gt(providerEvents.createdAt, new Date(now - DAY_MS)),
      ),
    )
    .orderBy(desc(providerEvents.createdAt))
    .limit(PILE);
  if (rows.length < (told ? MENDED : PILE)) return [];
  return [
    {
      kind: "unmatched",
      subject: "unmatched",
      title: `${PILE} or more confirmations within a day fitted nobody`,
      detail: "The provider may send other user ids than the app sends with a redemption.",
      path: "/providers/unmatched",
    },
  ];
}
