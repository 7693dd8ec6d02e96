import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { fail } from "@/lib/errors";
import type { Delivery } from "@/lib/providers/adapter";

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

/** Whether a header is the secret, alone or after one of these words. All comparisons always run. */
export function isHeaderSecret(given: string | null, secret: string, words: readonly string[] = []): boolean {
  const values = [secret, ...words.map((word) => `${word} ${secret}`)];
  return values.map((value) => sameText(given ?? "", value)).includes(true);
}

/** Throws UNAUTHORIZED with these words where a proof does not hold. */
export function demand(holds: boolean, words: string): void {
  if (!holds) fail("UNAUTHORIZED", words);
}

/** `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; one of several `v1` is enough while a key changes. */
export function isTimedHmac(header: string | null, { rawBody, now }: Delivery, key: string): boolean {
  const parts = (header ?? "").split(",").map((part) => part.trim());
  const time = parts.find((part) => part.startsWith("t="))?.slice(2) ?? "";
  if (!isRecent(time, now)) return false;
  const expected = hexHmac(key, `${time}.`, rawBody);
  return parts
    .filter((part) => part.startsWith("v1="))
    .some((part) => sameText(part.slice(3).toLowerCase(), expected));
}

/** HMAC-SHA256, in hexadecimal, of a text and the bytes after it. */
export function hexHmac(key: string, before: string, bytes: Uint8Array): string {
  return createHmac("sha256", key).update(before).update(asBuffer(bytes)).digest("hex");
}

/**
 * Standard Webhooks under the headers `<prefix>-id`, `-timestamp` and `-signature`; Svix is the same with its own.
 * The library's own `verify` reads the clock itself; its `sign` is what makes the two ends agree.
 */
export function isStandardSigned({ headers, rawBody, secret, now }: Delivery, prefix: string): boolean {
  const id = headers.get(`${prefix}-id`) ?? "";
  const time = headers.get(`${prefix}-timestamp`) ?? "";
  if (id === "" || !isRecent(time, now)) return false;
  const expected = new Webhook(secret).sign(id, new Date(Number(time) * 1000), asBuffer(rawBody));
  const given = (headers.get(`${prefix}-signature`) ?? "").split(" ");
  return given.some((signature) => sameText(signature, expected));
}

/** The headers of {@link isStandardSigned} for a body of ours. */
export function standardHeaders(prefix: string, id: string, secret: string, now: number, body: string) {
  return new Headers({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(now / 1000)),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(now), body),
  });
}
