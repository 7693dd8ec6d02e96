import { createHash, randomInt } from "node:crypto";
import { crc32 } from "@/lib/platform/crc32";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORMAT = /^mc_(live|test)_[0-9A-Za-z]{38}$/;

function checksum(text: string): string {
  let rest = crc32(Buffer.from(text));
  let encoded = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    encoded = BASE62.charAt(rest % 62) + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}

/** A new key: 32 base62 characters (190 bits) and 6 of CRC-32, which reveals a typo without a look-up. */
export function generateKeyText(sandbox: boolean): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(62))).join("");
  const body = `mc_${sandbox ? "test" : "live"}_${secret}`;
  return body + checksum(body);
}

/** Whether a text has the form and the checksum of a key. */
export function isKeyText(text: string): boolean {
  return FORMAT.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** The stored hash of a key. A fast hash is enough, because there are 190 bits to guess. */
export function hashKey(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
