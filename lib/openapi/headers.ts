import type { ErrorCode } from "@/lib/errors";
import type { JsonObject } from "./schemas";

const whole = (minimum: number) => ({ type: "integer", minimum });

/** Headers of answers, as components. */
export const HEADERS: Record<string, JsonObject> = {
  "X-RateLimit-Limit": {
    description:
      "Requests a month of the workspace; without a valid key, those a minute of the caller's address.",
    required: true,
    schema: whole(0),
    example: 100_000,
  },
  "X-RateLimit-Remaining": {
    description: "How many of them are left.",
    required: true,
    schema: whole(0),
    example: 99_871,
  },
  "X-RateLimit-Reset": {
    description: "When they are all there again, in Unix seconds.",
    required: true,
    schema: whole(0),
    example: 1_764_547_200,
  },
  "X-Request-Id": {
    description: "Names this request in the dashboard and in the server's log.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4",
  },
  "Retry-After": {
    description:
      "Seconds after which another try makes sense. With 409 only while the first try of the same `Idempotency-Key` is still running.",
    schema: whole(1),
    example: 60,
  },
  "Idempotency-Replayed": {
    description:
      "`true` where this is the kept answer to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  Allow: {
    description: "The methods that this address takes.",
    required: true,
    schema: { type: "string" },
    example: "POST, OPTIONS",
  },
};

const ALWAYS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

/** Statuses that come from an idempotent verb itself, so that they are kept and replayed. */
const KEPT = new Set([200, 404, 409, 503]);

/** References to the headers of one answer. */
export function headersOf(status: number, idempotent: boolean, codes: readonly ErrorCode[] = []): JsonObject {
  const names = [...ALWAYS];
  if (status === 405) names.push("Allow");
  if (status === 429 || codes.some((code) => /^(NO_CODES|SERVICE)/.test(code))) names.push("Retry-After");
  if (idempotent && status === 409) names.push("Retry-After");
  if (idempotent && KEPT.has(status)) names.push("Idempotency-Replayed");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
