import type { DeliveryResponse, WebhookResponse } from "@/lib/contract/webhooks";
import { type webhookDeliveries, webhookEndpoints } from "@/lib/db/schema";

/** The columns that may leave: never the secret. */
export const ENDPOINT_COLUMNS = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  events: webhookEndpoints.events,
  enabled: webhookEndpoints.enabled,
  createdAt: webhookEndpoints.createdAt,
};

type EndpointRow = Pick<typeof webhookEndpoints.$inferSelect, keyof typeof ENDPOINT_COLUMNS>;
type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** An address may carry a password before its host; whoever reads webhooks need not learn it. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}

/** An endpoint as the API shows it: never its secret. */
export function toWebhook(row: EndpointRow): WebhookResponse {
  return {
    id: row.id,
    url: withoutPassword(row.url),
    events: row.events,
    enabled: row.enabled,
    created_at: row.createdAt.toISOString(),
  };
}

/** A delivery as the API shows it, with moments in ISO 8601. */
export function toDelivery(row: DeliveryRow): DeliveryResponse {
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
