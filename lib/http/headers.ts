import type { RateState } from "@/lib/errors";

/** What every answer below `/api` carries, whatever was asked. */
export function apiHeaders(requestId: string, rate: RateState): Record<string, string> {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    "X-RateLimit-Limit": String(rate.limit),
    "X-RateLimit-Remaining": String(rate.remaining),
    "X-RateLimit-Reset": String(rate.reset),
    "Access-Control-Expose-Headers":
      "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Retry-After, Idempotency-Replayed",
    "X-Content-Type-Options": "nosniff",
  };
}
