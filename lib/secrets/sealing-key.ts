import { hkdfSync } from "node:crypto";
import { env } from "@/lib/env";

/** What seals secrets of this service, and a mark by which a text sealed with another key is known. */
interface SealingKey {
  key: Buffer;
  mark: string;
}

const derive = (secret: string, info: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "metacode", info, bytes));

/** Both from `AUTH_SECRET`, each by a purpose of its own: neither the mark nor a session's signature tells of the key. */
export function sealingKey(): SealingKey {
  const secret = env().AUTH_SECRET;
  if (!secret) throw new Error("AUTH_SECRET is not set: start the service with `npm start`");
  return {
    key: derive(secret, "sealed secrets", 32),
    mark: derive(secret, "mark of sealed secrets", 6).toString("base64url"),
  };
}
