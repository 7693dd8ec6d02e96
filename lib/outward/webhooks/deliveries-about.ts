import { and, asc, eq, gte, inArray, or, sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { PersonDelivery } from "@/lib/contract/person";
import type { DeliveryStatus } from "@/lib/contract/webhook-events";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { referrals, webhookAttempts, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { newestFirst, walkPage } from "@/lib/platform/db/walk";
import type { Paged } from "@/lib/platform/pagination";
import type { Context } from "@/lib/tenants/context";

/** A delivery about one journey, with its last attempt. */
export interface JourneyDelivery {
  endpointId: string;
  url: string;
  eventType: string;
  status: DeliveryStatus;
  body: unknown;
  attempt: Pick<
    typeof webhookAttempts.$inferSelect,
    "ms" | "responseStatus" | "responseBody" | "error"
  > | null;
}

/** Maximum deliveries shown. */
const MOST = 100;

/** The deliveries since a time about a referrer and the referrals of these referees, along the primary key. */
export async function listDeliveriesSince(
  { db, app }: Context,
  since: Date,
  refereeUids: readonly string[],
  referrerId: string,
): Promise<JourneyDelivery[]> {
  const own = await db.orm
    .select({ id: referrals.id })
    .from(referrals)
    .where(and(eq(referrals.appId, app.id), inArray(referrals.refereeUid, [...refereeUids])));
  const { appId, id, orderKey, endpointId } = webhookDeliveries;
  const rows = await db.orm
    .select({ delivery: webhookDeliveries, url: webhookEndpoints.url })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, and(eq(webhookEndpoints.appId, appId), eq(webhookEndpoints.id, endpointId)))
    .where(
      and(
        eq(appId, app.id),
        gte(id, firstIdAt(since)),
        inArray(orderKey, [referrerId, ...own.map((referral) => referral.id)]),
      ),
    )
    .orderBy(asc(id))
    .limit(MOST);
  const attempts = await db.orm
    .select()
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.appId, app.id),
        inArray(
          webhookAttempts.deliveryId,
          rows.map(({ delivery }) => delivery.id),
        ),
      ),
    )
    .orderBy(asc(webhookAttempts.number));
  // Ignores attempts that were stored after the delivery was read: an open delivery would look refused.
  const lastOf = ({ id, attempts: most }: { id: string; attempts: number }) =>
    attempts.findLast(({ deliveryId, number }) => deliveryId === id && number <= most) ?? null;
  return rows.map(({ delivery, url }) => ({
    endpointId: delivery.endpointId,
    url,
    eventType: delivery.eventType,
    status: delivery.status,
    body: delivery.payload,
    attempt: lastOf(delivery),
  }));
}

/** The newest 50 about these subjects, or about referees (for places in line), among the app's newest 10,000. */
export async function listDeliveriesAbout(
  ctx: Context,
  subjects: readonly string[],
  refereeUids: readonly string[],
): Promise<Paged<PersonDelivery>> {
  const { appId, id, orderKey, payload } = webhookDeliveries;
  const { data, nextCursor } = await walkPage(ctx.db, webhookDeliveries, {
    ...newestFirst(id),
    within: eq(appId, ctx.app.id),
    filter: or(
      inArray(orderKey, subjects.filter(isUuid)),
      inArray(sql`${payload} ->> 'referee_uid'`, [...refereeUids]),
    ),
    size: 50,
  });
  const ids = data.map(({ endpointId }) => endpointId);
  const existing = await ctx.db.orm
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.appId, ctx.app.id), inArray(webhookEndpoints.id, ids)));
  const rows = data.map(({ id, endpointId, eventType, status, createdAt }) => {
    const exists = existing.some((endpoint) => endpoint.id === endpointId);
    return { id, endpointId: exists ? endpointId : null, eventType, status, at: createdAt };
  });
  return { data: rows, nextCursor };
}
