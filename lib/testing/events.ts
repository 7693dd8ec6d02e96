import type { WebhookEvent } from "@/lib/contract/webhook-events";
import { WEBHOOK_PAYLOADS } from "@/lib/contract/webhook-payloads";
import type { Db } from "@/lib/platform/db/client";
import { type EventPayload, emitEvent } from "@/lib/tenants/events/emit";

/** Emits an event with the documented example as its payload, with the test's own values where given. */
export function emitExample<Event extends WebhookEvent>(
  db: Db,
  appId: string,
  event: Event,
  payload: Partial<EventPayload<Event>> = {},
): Promise<void> {
  const example = WEBHOOK_PAYLOADS[event].example as unknown as EventPayload<Event>;
  return emitEvent({ app: { id: appId }, db }, event, { ...example, ...payload });
}
