import { and, desc, eq, lt } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { DeliveryStatus } from "@/lib/contract/webhook-events";
import { type DeliveriesInput, type DeliveriesResponse, encodeCursor } from "@/lib/contract/webhooks";
import { webhookDeliveries } from "@/lib/db/schema";
import { getWebhook } from "@/lib/webhooks/get";
import { toDelivery } from "@/lib/webhooks/record";

/** A page of an endpoint's deliveries, newest first, of one status or all; NOT_FOUND like {@link getWebhook}. */
export async function listDeliveries(
  ctx: Context,
  input: DeliveriesInput,
  status?: DeliveryStatus,
): Promise<DeliveriesResponse> {
  const { id, limit, before } = input;
  await getWebhook(ctx, { id });
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
  // One row more than asked tells whether there is a next page without counting.
  return {
    data: page.map(toDelivery),
    next_cursor: rows.length > limit && last ? encodeCursor(last.id) : null,
  };
}
