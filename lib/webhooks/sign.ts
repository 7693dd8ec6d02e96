import { Webhook } from "standardwebhooks";

/** The shape of `data` for each type; it goes up when a receiver of the one before could misread the new one. */
export const PAYLOAD_VERSION = "1";

/** What is told, and by whose secret. */
export interface Message {
  event: string;
  type: string;
  payload: unknown;
  /** When it happened. */
  created_at: string;
  secret: string;
  /** The one before a rotation, within its grace. */
  former_secret: string | null;
}

/** The body of an event: the same bytes at every attempt. */
export function bodyOf({
  type,
  payload,
  created_at,
}: Pick<Message, "type" | "payload" | "created_at">): string {
  const timestamp = new Date(created_at).toISOString();
  return JSON.stringify({ type, timestamp, version: PAYLOAD_VERSION, data: payload });
}

/**
 * The headers of Standard Webhooks for one attempt. The id is the event's at every attempt, so that a receiver knows
 * what it had before; the time is that of the attempt, so that it can refuse what is old.
 */
export function headersOf(message: Message, body: string, now: Date): Record<string, string> {
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
