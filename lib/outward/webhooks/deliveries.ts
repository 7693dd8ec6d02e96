import { and, asc, desc, eq, lt } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { DeliveryStatus, DeliveryView } from "@/lib/contract/webhook-events";
import {
  type DeliveriesInput,
  type DeliveriesResponse,
  type DeliveryResponse,
  encodeDeliveryCursor,
} from "@/lib/contract/webhooks";
import { getEndpoint } from "@/lib/outward/webhooks/endpoints";
import { webhookBodyOf } from "@/lib/outward/webhooks/sign";
import type { Context } from "@/lib/platform/context";
import { webhookAttempts, webhookDeliveries } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";

/** A page of an endpoint's deliveries, newest first, of one status or all; NOT_FOUND like {@link getEndpoint}. */
export async function listDeliveries(
  ctx: Context,
  input: DeliveriesInput,
  status?: DeliveryStatus,
): Promise<DeliveriesResponse> {
  const { id, limit, before } = input;
  await getEndpoint(ctx, id);
  const table = webhookDeliveries;
  const rows = await ctx.db.orm
    .select()
    .from(table)
    .where(
      and(
        eq(table.appId, ctx.app.id),
        eq(table.endpointId, id),
        status === undefined ? undefined : eq(table.status, status),
        before === undefined ? undefined : lt(table.id, before),
      ),
    )
    .orderBy(desc(table.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  // One extra row shows without a count whether there is a next page.
  return {
    data: page.map(presentDelivery),
    next_cursor: rows.length > limit && last ? encodeDeliveryCursor(last.id) : null,
  };
}

function presentDelivery(row: typeof webhookDeliveries.$inferSelect): DeliveryResponse {
  return {
    id: row.id,
    event_id: row.eventId,
    event_type: row.eventType,
    status: row.status,
    attempts: row.attempts,
    response_status: row.responseStatus,
    created_at: row.createdAt.toISOString(),
    delivered_at: row.deliveredAt?.toISOString() ?? null,
  };
}

/** A delivery of an endpoint with its body and every attempt, oldest first. Throws NOT_FOUND. */
export async function getDelivery(ctx: Context, endpointId: string, id: string): Promise<DeliveryView> {
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
    id,
    eventId,
    eventType,
    status,
    createdAt,
    dueAt,
    body: webhookBodyOf({ type: eventType, payload: row.payload, created_at }),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.createdAt,
      ms: attempt.ms,
      error: attempt.error,
      requestHeaders: attempt.requestHeaders,
      status: attempt.responseStatus,
      headers: attempt.responseHeaders,
      body: attempt.responseBody,
    })),
  };
}
