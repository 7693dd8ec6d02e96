import { type ErrorDetails, fail, type RateState } from "@/lib/platform/errors";

/** The decision of one limit on one request; the numbers go into the headers unchanged. */
export interface LimitDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds. */
  resetAt: number;
  /** Whole seconds after which the caller may try again; 0 if allowed. */
  retryAfter: number;
}

/** The used part of the library's answers; `reset` is Unix time in milliseconds. */
export interface Answer {
  success: boolean;
  limit: number;
  remaining: number;
  reset: number;
}

/**
 * Converts the library's milliseconds to the seconds of the headers. One millisecond is added to the wait because a
 * window still counts in full when the next one begins.
 */
export function toDecision(answer: Answer, now: number): LimitDecision {
  return {
    allowed: answer.success,
    limit: answer.limit,
    remaining: answer.remaining,
    resetAt: Math.ceil(answer.reset / 1000),
    retryAfter: answer.success ? 0 : Math.max(1, Math.ceil((answer.reset + 1 - now) / 1000)),
  };
}

/** A limit's decision as the numbers of the rate headers. */
export function rateOf(decision: LimitDecision): RateState {
  return { limit: decision.limit, remaining: decision.remaining, reset: decision.resetAt };
}

/** The time to wait, as messages name it: `a minute`, `12 minutes`, `5 hours`. */
export function waitOf({ retryAfter }: LimitDecision): string {
  const minutes = Math.ceil(retryAfter / 60);
  const hours = Math.ceil(minutes / 60);
  if (minutes < 60) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  return hours === 1 ? "an hour" : `${hours} hours`;
}

/** RATE_LIMITED by a burst, address or guessing limit, with its numbers for the headers. */
export function refuse(decision: LimitDecision, message: string, details?: ErrorDetails): never {
  const { retryAfter } = decision;
  return fail("RATE_LIMITED", message, { ...details, retryAfter, rate: rateOf(decision) });
}
