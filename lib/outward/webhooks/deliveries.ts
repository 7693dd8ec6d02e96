import { and, asc, desc, eq, lt } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { DeliveryProgress, DeliveryStatus, DeliveryView } from "@/lib/contract/webhook-events";
import {
  type DeliveriesInput,
  type DeliveriesResponse,
  type DeliveryResponse,
  encodeDeliveryCursor,
} from "@/lib/contract/webhooks";
import { getEndpoint } from "@/lib/outward/webhooks/endpoints";
import { webhookBodyOf } from "@/lib/outward/webhooks/sign";
import { webhookAttempts, webhookDeliveries } from "@/lib/platform/db/schema";
import { LATE_S } from "@/lib/platform/jobs/backlog";
import { pageOf } from "@/lib/platform/pagination";
import type { Context } from "@/lib/tenants/context";

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
  const { data, nextCursor } = pageOf(rows, limit);
  return { data: data.map(presentDelivery), next_cursor: nextCursor && encodeDeliveryCursor(nextCursor) };
}

type DeliveryRow = typeof webhookDeliveries.$inferSelect;

function presentDelivery(row: DeliveryRow): DeliveryResponse {
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

/** The reason why a delivery is still open, from the columns that the senders use. */
function progressOf(row: DeliveryRow): DeliveryProgress | null {
  if (row.status !== "pending" && row.status !== "failed") return null;
  const now = Date.now();
  const time = (at: Date | null) => at?.getTime() ?? 0;
  const wakeAt = time(row.wakeAt);
  if (time(row.leasedUntil) > now) return "sending";
  if (wakeAt <= now) return now - wakeAt > LATE_S * 1_000 ? "late" : "queued";
  if (row.parkedAt) return "endpoint";
  return time(row.dueAt) > now ? "retry" : "earlier";
}

/** A delivery of an endpoint with its body and every attempt, oldest first, or undefined. */
export async function findDelivery(
  ctx: Context,
  endpointId: string,
  id: string | undefined,
): Promise<DeliveryView | undefined> {
  if (id === undefined || !isUuid(id)) return undefined;
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
  if (!row) return undefined;
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
    progress: progressOf(row),
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
