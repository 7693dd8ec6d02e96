/** What one limit says of one request; the numbers go into the headers as they are. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix time in seconds. */
  resetAt: number;
  /** Whole seconds after which the caller may try again; 0 when allowed. */
  retryAfter: number;
}

/** The part of the library's answers read here; `reset` is Unix time in milliseconds. */
export interface Answer {
  success: boolean;
  limit: number;
  remaining: number;
  reset: number;
}

/**
 * Turns the library's milliseconds into the seconds of the headers. One millisecond is added to the wait because a
 * window still counts in full at the very moment the next one begins.
 */
export function toVerdict(answer: Answer, now: number): Verdict {
  return {
    allowed: answer.success,
    limit: answer.limit,
    remaining: answer.remaining,
    resetAt: Math.ceil(answer.reset / 1000),
    retryAfter: answer.success ? 0 : Math.max(1, Math.ceil((answer.reset + 1 - now) / 1000)),
  };
}
