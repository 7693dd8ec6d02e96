import type { ErrorCode } from "@/lib/platform/errors";
import type { JsonObject } from "./schemas";

const whole = (minimum: number) => ({ type: "integer", minimum });

/** Headers of responses, as components. */
export const HEADERS: Record<string, JsonObject> = {
  "X-RateLimit-Limit": {
    description:
      "Monthly requests of the workspace; without a valid key, requests per minute of the caller's address; with a 429 of a shorter limit, that limit.",
    required: true,
    schema: whole(0),
    example: 100_000,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left within this limit.",
    required: true,
    schema: whole(0),
    example: 99_871,
  },
  "X-RateLimit-Reset": {
    description:
      "When this limit allows more requests, in Unix seconds: the monthly one when the next month begins.",
    required: true,
    schema: whole(0),
    example: 1_764_547_200,
  },
  "X-Request-Id": {
    description: "Identifies this request in the dashboard and in the server's log.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4",
  },
  "Retry-After": {
    description:
      "Seconds to wait before a retry. With 409 only while the first request with the same `Idempotency-Key` is still running.",
    schema: whole(1),
    example: 60,
  },
  "Idempotency-Replayed": {
    description:
      "`true` when this is the stored response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  "Content-Language": {
    description:
      "The language of the texts for end users in the body. Errors have it only beside such texts.",
    schema: { type: "string" },
    example: "de",
  },
  Vary: {
    description: "The texts depend on the language that the request names.",
    schema: { type: "string", const: "Accept-Language" },
    example: "Accept-Language",
  },
  Allow: {
    description: "The methods of this path.",
    required: true,
    schema: { type: "string" },
    example: "POST, OPTIONS",
  },
};

const ALWAYS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

/** Statuses of an idempotent verb itself, whose responses are stored and replayed. */
const REPLAYED = new Set([200, 404, 409]);

/**
 * References to the headers of one response. `localized`: its body may have texts for end users, as the successes of the
 * idempotent operations, redeem and claim, have; hence the default.
 */
export function headerRefs(
  status: number,
  idempotent: boolean,
  codes: readonly ErrorCode[] = [],
  localized = idempotent,
): JsonObject {
  const names = [...ALWAYS];
  if (status === 405) names.push("Allow");
  if (status === 429 || codes.some((code) => /^(NO_CODES|SERVICE)/.test(code))) names.push("Retry-After");
  if (idempotent && status === 409) names.push("Retry-After");
  if (idempotent && REPLAYED.has(status)) names.push("Idempotency-Replayed");
  if (localized) names.push("Content-Language", "Vary");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
