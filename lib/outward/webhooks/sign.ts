import { Webhook } from "standardwebhooks";

/** Version of the shapes of `data`, raised when a receiver of the previous one could misread the new one. */
const PAYLOAD_VERSION = "1";

/** An event for one endpoint, with the secrets that sign it. */
export interface WebhookMessage {
  event: string;
  type: string;
  payload: unknown;
  /** When it happened. */
  created_at: string;
  secret: string;
  /** The secret before a rotation, within its grace period. */
  former_secret: string | null;
}

/** The body of an event: the same bytes at every attempt. */
export function webhookBodyOf({
  type,
  payload,
  created_at,
}: Pick<WebhookMessage, "type" | "payload" | "created_at">): string {
  const timestamp = new Date(created_at).toISOString();
  return JSON.stringify({ type, timestamp, version: PAYLOAD_VERSION, data: payload });
}

/**
 * The headers of Standard Webhooks for one attempt. Every attempt has the event's id, so that receivers recognise
 * repeats, and its own time, so that receivers can refuse old ones.
 */
export function signedHeaders(message: WebhookMessage, body: string, now: Date): Record<string, string> {
  const secrets = [message.secret, ...(message.former_secret ? [message.former_secret] : [])];
  const signatures = secrets.map((secret) => new Webhook(secret).sign(message.event, now, body));
  return {
    "content-type": "application/json",
    "user-agent": "Metacode-Webhooks/1",
    "webhook-id": message.event,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": signatures.join(" "),
  };
}
