import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { env } from "@/lib/platform/env";
import { singleton } from "@/lib/platform/singleton";

/** A key that seals secrets, and a fingerprint that names it in the texts it sealed. */
interface SealingKey {
  key: Buffer;
  fingerprint: string;
}

/** A key of a secret for one purpose, so that no other use of the secret reveals it. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `metacode ${purpose}`, 32));

const derive = (secret: string, info: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "metacode", info, bytes));

/** Derived once for each secret of the environment: deriving costs ten times as much as opening a text. */
const derived = new Map<string, SealingKey>();

/** Key and fingerprint each have their own purpose: neither the fingerprint nor a session reveals the key. */
function keyOf(secret: string): SealingKey {
  const known = derived.get(secret);
  if (known) return known;
  const key = {
    key: derive(secret, "sealed secrets", 32),
    fingerprint: derive(secret, "mark of sealed secrets", 6).toString("base64url"),
  };
  derived.set(secret, key);
  return key;
}

/** The secrets whose keys open what is sealed, `AUTH_SECRET` last; the first one seals. */
export function sealingSecrets(): [string, ...string[]] {
  const { SEALING_KEYS, AUTH_SECRET } = env();
  const [first, ...former] = AUTH_SECRET ? [...SEALING_KEYS, AUTH_SECRET] : SEALING_KEYS;
  if (!first) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return [first, ...former];
}

/** Prefix of sealed texts, so that another format can follow. */
const VERSION = "s1";

const SEALED = /^s1\.[\w-]{8}\.[\w-]{16}\.[\w-]{22,}$/;

/** The beginning of every text that the first key has sealed. */
export function sealedPrefix(): string {
  return `${VERSION}.${keyOf(sealingSecrets()[0]).fingerprint}.`;
}

/**
 * Encrypts a secret for the database (AES-256-GCM). `owner` is its place, such as a table and an app's id; a sealed text
 * that is moved to another row cannot be decrypted.
 */
export function sealSecret(text: string, owner: string): string {
  const { key, fingerprint } = keyOf(sealingSecrets()[0]);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, fingerprint, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}

const TAG_BYTES = 16;

/** The secret, or the reason why it cannot be read: no key of the environment sealed it, or its text has changed. */
export type Opened =
  | { text: string; lost?: undefined }
  | { text?: undefined; lost: "unknown_key" | "damaged" };

/** Recently opened secrets by owner and sealed text: a webhook's is needed for each attempt. */
const recentlyOpened = () => singleton("opened-secrets", () => new LRUCache<string, string>({ max: 5_000 }));

/** Decrypts a text that `sealSecret` made for the same `owner`, with whichever key of the environment sealed it. */
export function openSecret(sealed: string, owner: string): Opened {
  if (!SEALED.test(sealed)) return { lost: "damaged" };
  const [, fingerprint, nonce = "", body = ""] = sealed.split(".");
  const sealing = sealingSecrets()
    .map(keyOf)
    .find((key) => key.fingerprint === fingerprint);
  if (!sealing) return { lost: "unknown_key" };
  const known = recentlyOpened().get(`${owner} ${sealed}`);
  if (known !== undefined) return { text: known };
  try {
    const bytes = Buffer.from(body, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", sealing.key, Buffer.from(nonce, "base64url"), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    const text = opened.toString("utf8");
    recentlyOpened().set(`${owner} ${sealed}`, text);
    return { text };
  } catch {
    return { lost: "damaged" };
  }
}

/** Reads a stored secret. A text that is not sealed is the secret itself: earlier versions stored it so. */
export function readSecret(stored: string, owner: string): Opened {
  return SEALED.test(stored) ? openSecret(stored, owner) : { text: stored };
}
