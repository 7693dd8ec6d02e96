import { Ratelimit } from "@upstash/ratelimit";
import { Buckets } from "@/lib/limits/buckets";
import { type Clock, type Limiting, memorySlidingWindow, memoryTokenBucket } from "@/lib/limits/memory";

/** Identifiers one limit remembers in this process, about 150 bytes each. */
const CAPACITY = 50_000;
const MINUTE_MS = 60_000;

/** The same limit twice: kept in this process, and kept in a store. */
export interface Rule {
  local: Limiting;
  remote: Limiting;
  /** A bucket refuses until its next refill; a sliding window may let some pass before it ends, so it is asked. */
  rememberRefused: boolean;
}

/** `size` requests at once and `refill` more every second. */
export function burst(refill: number, size: number, now: Clock): Rule {
  return {
    local: memoryTokenBucket({ refill, intervalMs: 1_000, size }, now, new Buckets(CAPACITY)),
    remote: Ratelimit.tokenBucket(refill, "1 s", size),
    rememberRefused: true,
  };
}

/** `tokens` requests in any `minutes`, as near as two counters tell. */
export function sliding(tokens: number, minutes: number, now: Clock): Rule {
  return {
    local: memorySlidingWindow(tokens, minutes * MINUTE_MS, now, new Buckets(CAPACITY)),
    remote: Ratelimit.slidingWindow(tokens, `${minutes} m`),
    rememberRefused: false,
  };
}
