import { and, asc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import type { DeliveryView } from "@/lib/contract/webhook-events";
import { webhookAttempts, webhookDeliveries } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { bodyOf } from "@/lib/webhooks/sign";

/** One delivery of an endpoint with what was sent and every attempt, oldest first. Throws NOT_FOUND. */
export async function showDelivery(ctx: Context, endpointId: string, id: string): Promise<DeliveryView> {
  if (!isUuid(id)) return fail("NOT_FOUND", "No delivery has this id");
  const { orm } = ctx.db;
  const [row] = await orm
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.appId, ctx.app.id),
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.endpointId, endpointId),
      ),
    );
  if (!row) return fail("NOT_FOUND", "No delivery has this id");
  const attempts = await orm
    .select()
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.appId, ctx.app.id), eq(webhookAttempts.deliveryId, id)))
    .orderBy(asc(webhookAttempts.number));
  const { eventId, eventType, status, createdAt, dueAt } = row;
  const created_at = createdAt.toISOString();
  return {
    ...{ id, eventId, eventType, status, createdAt, dueAt },
    body: bodyOf({ type: eventType, payload: row.payload, created_at }),
    attempts: attempts.map(({ number, createdAt: at, ms, error, ...one }) => ({
      ...{ number, at, ms, error, requestHeaders: one.requestHeaders, status: one.responseStatus },
      ...{ headers: one.responseHeaders, answer: one.responseBody },
    })),
  };
}
