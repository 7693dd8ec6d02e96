import { createHmac } from "node:crypto";
import { type Opened, readSecret, sealSecret } from "@/lib/platform/secrets/seal";

/** Version of the shapes of `data`, raised when a receiver of the previous one could misread the new one. */
const PAYLOAD_VERSION = "1";

/** The secrets of an endpoint, as its row stores them or in the clear. */
interface SigningSecrets {
  secret: string;
  /** The secret before a rotation, within its grace period. */
  former_secret: string | null;
}

/** An event for one endpoint, with the secrets that sign it in the clear. */
export interface WebhookMessage extends SigningSecrets {
  event: string;
  type: string;
  payload: unknown;
  /** When it happened. */
  created_at: string;
}

/** One binding for both columns: a rotation moves the sealed text from `secret` to `former_secret`. */
const bindingOf = (endpointId: string): string => `webhook_endpoints:${endpointId}`;

/** An endpoint's secret as its row stores it. */
export function sealEndpointSecret(secret: string, endpointId: string): string {
  return sealSecret(secret, bindingOf(endpointId));
}

/** Opens an endpoint's stored secrets; undefined where a key that sealed them is missing. */
export function readEndpointSecrets(stored: SigningSecrets, endpointId: string): SigningSecrets | undefined {
  const read = (text: string): Opened => readSecret(text, bindingOf(endpointId));
  const secret = read(stored.secret);
  if (secret.lost) return undefined;
  const former = stored.former_secret === null ? null : (read(stored.former_secret).text ?? null);
  return { secret: secret.text, former_secret: former };
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
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => sign(secret, `${message.event}.${timestamp}.${body}`));
  return {
    "content-type": "application/json",
    "user-agent": "Metacode-Webhooks/1",
    "webhook-id": message.event,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** Node's HMAC, because that of `standardwebhooks` is JavaScript. Tests verify with that library and with `svix`. */
function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
