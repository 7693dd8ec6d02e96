import { createHash, randomBytes } from "node:crypto";

/** The secret part of a link sent by email: 32 random bytes. The database holds their SHA-256 only. */
export function generateToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

/** The SHA-256 by which the row of a token is found. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** A new signing secret in the format of Standard Webhooks, which receivers' libraries accept unchanged. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** A new value for a header that a provider sends with every delivery. */
export function generateHeaderSecret(): string {
  return `metacode_${randomBytes(24).toString("base64url")}`;
}
