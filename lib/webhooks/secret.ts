import { randomBytes } from "node:crypto";

const BYTES = 32;

/** A new signing secret in the form of Standard Webhooks; receivers' libraries take it as it is. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(BYTES).toString("base64")}`;
}
