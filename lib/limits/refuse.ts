import { fail, type RateState } from "@/lib/errors";
import type { Verdict } from "@/lib/limits/verdict";

/** A limit's verdict as the numbers of the rate headers. */
export function rateOf(verdict: Verdict): RateState {
  return { limit: verdict.limit, remaining: verdict.remaining, reset: verdict.resetAt };
}

/** RATE_LIMITED by a burst, address or guessing limit, with its numbers for the headers. */
export function refuse(verdict: Verdict, message: string): never {
  return fail("RATE_LIMITED", message, { retryAfter: verdict.retryAfter, rate: rateOf(verdict) });
}
