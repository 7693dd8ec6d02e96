import { createDecipheriv } from "node:crypto";
import { deriveKey, type Opened, openSecret, sealingSecrets, sealSecret } from "@/lib/platform/secrets/seal";

const IV = 12;
const TAG = 16;

const bindingOf = (userId: string): string => `users:${userId}`;

/** Encrypts a user's second factor. Unsealing for another user fails. */
export function seal(plain: Uint8Array, userId: string): Buffer {
  return Buffer.from(sealSecret(Buffer.from(plain).toString("base64"), bindingOf(userId)));
}

/** Reads a stored second factor as Base64, also in the format of earlier versions: nonce, tag and ciphertext. */
export function readSecondFactor(stored: Buffer, userId: string): Opened {
  const opened = openSecret(stored.toString("latin1"), bindingOf(userId));
  if (opened.lost !== "damaged") return opened;
  for (const secret of sealingSecrets()) {
    const text = openFormerFormat(stored, userId, secret);
    if (text) return { text };
  }
  return opened;
}

function openFormerFormat(stored: Buffer, userId: string, secret: string): string | undefined {
  const key = deriveKey(secret, "second factor");
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, stored.subarray(0, IV), { authTagLength: TAG });
    decipher.setAAD(Buffer.from(userId)).setAuthTag(stored.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(stored.subarray(IV + TAG)), decipher.final()]).toString("base64");
  } catch {
    return undefined;
  }
}

/** Decrypts bytes of {@link seal}. Throws when they were changed, belong to another user, or no key opens them. */
export function unseal(sealed: Buffer, userId: string): Buffer {
  const { text, lost } = readSecondFactor(sealed, userId);
  if (lost) throw new Error(`A second factor cannot be read: ${lost}`);
  return Buffer.from(text, "base64");
}
