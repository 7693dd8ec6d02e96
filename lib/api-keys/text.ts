import { createHash, randomInt } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORMAT = /^mc_(live|test)_[0-9A-Za-z]{38}$/;

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 of ASCII text. `zlib.crc32` came with Node 20.15, and this runs from 20.9 on. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc = (crcTable[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    encoded = BASE62.charAt(rest % 62) + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}

/** A new key: 32 base62 characters (190 bits) and 6 of CRC-32, so that a typo is told from a real key without a look-up. */
export function mintKeyText(sandbox: boolean): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomInt(62))).join("");
  const body = `mc_${sandbox ? "test" : "live"}_${secret}`;
  return body + checksum(body);
}

/** Could this text be a key at all? */
export function isKeyText(text: string): boolean {
  return FORMAT.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** What is stored in place of a key. A fast hash will do: there are 190 bits to guess. */
export function hashKey(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
