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
  const last = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]));
  return rows.map(({ delivery, url }) => ({
    endpointId: delivery.endpointId,
    url,
    eventType: delivery.eventType,
    status: delivery.status,
    body: delivery.payload,
    attempt: last.get(delivery.id) ?? null,
  }));
}
