import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";

/** Credentials for App Store Connect. */
export interface AppStoreKey {
  issuerId: string;
  keyId: string;
  /** PKCS #8 as text. */
  privateKey: string;
}

/** Apple accepts tokens of at most 20 minutes; a shorter life leaves a margin for clocks that differ. */
const LIFE_S = 10 * 60;

/** A signed token for App Store Connect's API (ES256, audience `appstoreconnect-v1`). */
export function signToken({ issuerId, keyId, privateKey }: AppStoreKey, now = Date.now()): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: keyId, typ: "JWT" })
    .setIssuer(issuerId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + LIFE_S)
    .setAudience("appstoreconnect-v1")
    .sign(createPrivateKey(privateKey));
}
