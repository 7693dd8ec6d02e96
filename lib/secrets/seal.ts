import { createCipheriv, randomBytes } from "node:crypto";
import { sealingKey } from "./sealing-key";

/** Sealed texts begin with it, so that another way can follow. */
export const VERSION = "s1";

/**
 * Encrypts a secret for the database (AES-256-GCM). `where` says whose it is, such as a table and an app's id; a sealed
 * text that is moved elsewhere does not open.
 */
export function sealSecret(text: string, where: string): string {
  const { key, mark } = sealingKey();
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(where));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, mark, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}
