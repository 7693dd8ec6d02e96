import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { fail } from "@/lib/platform/errors";
import type { Delivery } from "@/lib/program/providers/common/adapter";

/** Maximum distance of a signed time from the clock, so that a recorded delivery cannot be replayed later. */
const TOLERANCE_MS = 5 * 60 * 1000;

/** Signatures that are compared, more than a change of key needs: 15 KB of forged ones would take 0.1 s. */
const MAX_SIGNATURES = 20;

/** Compares texts in a time that reveals nothing about either, not even its length. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Whether Unix seconds, as a header holds them, are within the tolerance (milliseconds) of `now` (milliseconds). */
export function isRecent(seconds: string, now: number, toleranceMs = TOLERANCE_MS): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1000) <= toleranceMs;
}

/** The body as a `Buffer` over the same memory, as the signing libraries require. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether a header is the secret, alone or after one of these schemes. All comparisons always run. */
export function isHeaderSecret(
  header: string | null,
  secret: string,
  schemes: readonly string[] = [],
): boolean {
  const values = [secret, ...schemes.map((scheme) => `${scheme} ${secret}`)];
  return values.map((value) => sameText(header ?? "", value)).includes(true);
}

/** Throws UNAUTHORIZED with this message if a proof is invalid. */
export function demand(holds: boolean, message: string): void {
  if (!holds) fail("UNAUTHORIZED", message);
}

/**
 * `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`; any one of several `v1` is enough while a key
 * changes.
 */
export function isTimedHmac(header: string | null, { rawBody, now }: Delivery, key: string): boolean {
  const parts = (header ?? "").split(",").map((part) => part.trim());
  const time = parts.find((part) => part.startsWith("t="))?.slice(2) ?? "";
  if (!isRecent(time, now)) return false;
  const expected = hexHmac(key, `${time}.`, rawBody);
  return parts
    .filter((part) => part.startsWith("v1="))
    .slice(0, MAX_SIGNATURES)
    .some((part) => sameText(part.slice(3).toLowerCase(), expected));
}

/** HMAC-SHA256, in hexadecimal, of a text and the bytes after it. */
export function hexHmac(key: string, before: string, bytes: Uint8Array): string {
  return createHmac("sha256", key).update(before).update(asBuffer(bytes)).digest("hex");
}

/**
 * Standard Webhooks under the headers `<prefix>-id`, `-timestamp` and `-signature`; Svix uses the same scheme.
 * The library's `verify` reads the clock itself, so this compares with its `sign` instead.
 */
export function isStandardSigned({ headers, rawBody, secret, now }: Delivery, prefix: string): boolean {
  const id = headers.get(`${prefix}-id`) ?? "";
  const time = headers.get(`${prefix}-timestamp`) ?? "";
  if (id === "" || !isRecent(time, now)) return false;
  const expected = new Webhook(secret).sign(id, new Date(Number(time) * 1000), asBuffer(rawBody));
  const signatures = (headers.get(`${prefix}-signature`) ?? "").split(" ", MAX_SIGNATURES);
  return signatures.some((signature) => sameText(signature, expected));
}

/** The headers of {@link isStandardSigned} for a test event. */
export function standardHeaders(prefix: string, id: string, secret: string, now: number, body: string) {
  return new Headers({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(now / 1000)),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(now), body),
  });
}
