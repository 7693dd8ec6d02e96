import { createDecipheriv } from "node:crypto";
import { VERSION } from "./seal";
import { sealingKey } from "./sealing-key";

const TAG_BYTES = 16;

/** The secret, or why it cannot be read: it was sealed under another `AUTH_SECRET`, or its text is not what was sealed. */
export type Opened = { text: string; lost?: undefined } | { lost: "other_secret" | "damaged" };

/** Decrypts what `sealSecret` made for the same `where`. */
export function openSecret(sealed: string, where: string): Opened {
  const [version, mark, nonce = "", body = ""] = sealed.split(".");
  const own = sealingKey();
  if (version !== VERSION) return { lost: "damaged" };
  if (mark !== own.mark) return { lost: "other_secret" };
  try {
    const bytes = Buffer.from(body, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", own.key, Buffer.from(nonce, "base64url"), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(where)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    return { text: text.toString("utf8") };
  } catch {
    return { lost: "damaged" };
  }
}
