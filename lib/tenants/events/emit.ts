import type { WebhookData } from "@/lib/contract/webhook-payloads";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import type { Context } from "@/lib/tenants/context";

/** Names of the referrer, which SQL adds to the endpoints' copy by `referrer_id`. */
type Added = "metacode" | "referrer_uid";

/** The data of an event, without the names that SQL adds. */
export type EventPayload<Event extends keyof WebhookData> = Omit<WebhookData[Event], Added> &
  Partial<Pick<WebhookData[Event], Added & keyof WebhookData[Event]>>;

const EMIT = sqlFunction("emit", { app: "uuid", type: "text", payload: jsonb<object>() }).returns<void>();

/** Writes an event of the app to the outbox and to its webhook endpoints, in the transaction of `db`. */
export async function emitEvent<Event extends keyof WebhookData>(
  { app, db }: { app: { id: string }; db: Context["db"] },
  event: Event,
  payload: EventPayload<Event>,
): Promise<void> {
  await db.call(EMIT, { app: app.id, type: event, payload });
}
