import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/platform/env";

const IV = 12;
const TAG = 16;

/** A separate key derived from the secret of the sessions: neither reveals the other. */
function sealingKey(): Buffer {
  const { AUTH_SECRET } = env();
  if (!AUTH_SECRET) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return Buffer.from(hkdfSync("sha256", AUTH_SECRET, "", "metacode second factor", 32));
}

/** Encrypts bytes for one user: AES-256-GCM as nonce, tag and ciphertext. Unsealing for another user fails. */
export function seal(plain: Uint8Array, userId: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(), iv).setAAD(Buffer.from(userId));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

/** Decrypts bytes of {@link seal}. Throws when they were changed, belong to another user, or the secret was replaced. */
export function unseal(sealed: Buffer, userId: string): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", sealingKey(), sealed.subarray(0, IV), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(userId)).setAuthTag(sealed.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]);
}
