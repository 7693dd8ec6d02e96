import { Webhook } from "standardwebhooks";

/** The shape of `data` for each type; it is raised when a receiver of the previous one could misread the new one. */
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
 * The headers of Standard Webhooks for one attempt. The id is the event's at every attempt, so that a receiver
 * recognises repeats; the time is that of the attempt, so that a receiver can refuse old ones.
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
