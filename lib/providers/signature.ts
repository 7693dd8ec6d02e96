import { createHash, timingSafeEqual } from "node:crypto";

/** Signed times further from ours than this are refused, so that a recorded delivery cannot be sent again later. */
const TOLERANCE_MS = 5 * 60 * 1000;

/** Equality in a time that tells nothing of either text, its length included. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Whether Unix seconds, as a header gives them, are within five minutes of `now` (milliseconds). */
export function isRecent(seconds: string, now: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= TOLERANCE_MS;
}

/** The body as the `Buffer` over the same memory that the signing libraries take. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
