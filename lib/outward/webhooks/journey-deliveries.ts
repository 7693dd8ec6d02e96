import { and, asc, eq, gte, inArray } from "drizzle-orm";
import type { DeliveryStatus } from "@/lib/contract/webhook-events";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { referrals, webhookAttempts, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
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
  // An attempt that was stored after its delivery was read would look like the refusal of one that is still open.
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
