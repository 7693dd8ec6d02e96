import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/platform/env";

/** The key that seals secrets, and a fingerprint that identifies texts sealed with another key. */
interface SealingKey {
  key: Buffer;
  fingerprint: string;
}

const derive = (secret: string, info: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "metacode", info, bytes));

/** Both derive from `AUTH_SECRET`, each for its own purpose: neither the fingerprint nor a session reveals the key. */
export function sealingKey(): SealingKey {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return {
    key: derive(secret, "sealed secrets", 32),
    fingerprint: derive(secret, "mark of sealed secrets", 6).toString("base64url"),
  };
}

/** Prefix of sealed texts, so that another format can follow. */
export const VERSION = "s1";

/**
 * Encrypts a secret for the database (AES-256-GCM). `owner` is its place, such as a table and an app's id; a sealed text
 * that is moved to another row cannot be decrypted.
 */
export function sealSecret(text: string, owner: string): string {
  const { key, fingerprint } = sealingKey();
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, fingerprint, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}

const TAG_BYTES = 16;

/**
 * The secret, or the reason why it cannot be read: it was sealed under another `AUTH_SECRET`, or its text has
 * changed.
 */
export type Opened = { text: string; lost?: undefined } | { lost: "other_secret" | "damaged" };

/** Decrypts a text that `sealSecret` made for the same `owner`. */
export function openSecret(sealed: string, owner: string): Opened {
  const [version, fingerprint, nonce = "", body = ""] = sealed.split(".");
  const own = sealingKey();
  if (version !== VERSION) return { lost: "damaged" };
  if (fingerprint !== own.fingerprint) return { lost: "other_secret" };
  try {
    const bytes = Buffer.from(body, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", own.key, Buffer.from(nonce, "base64url"), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return { text: text.toString("utf8") };
  } catch {
    return { lost: "damaged" };
  }
}
