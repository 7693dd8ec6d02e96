import { createHash, randomBytes } from "node:crypto";

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** The secret part of an invitation's address: 32 random bytes. The database holds their SHA-256 only. */
export function mintToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

/** What an invitation is found by. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** When an invitation made now ends. */
export function invitationEnd(now = Date.now()): Date {
  return new Date(now + INVITATION_DAYS * 86_400_000);
}
