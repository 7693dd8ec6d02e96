import { Ratelimit } from "@upstash/ratelimit";
import {
  type Clock,
  type Limiting,
  memorySlidingWindow,
  memoryTokenBucket,
  type Windows,
} from "@/lib/platform/limits/memory";
import { RecentMap } from "@/lib/platform/limits/recent-map";

/** Identifiers that one limit remembers in this process, about 150 bytes each. */
const CAPACITY = 50_000;
const MINUTE_MS = 60_000;

/** The same limit in two forms: counted in this process, and counted in a store. */
export interface Rule {
  local: Limiting;
  remote: Limiting;
  /** True for a bucket, which refuses until its next refill; a sliding window may allow requests before it ends. */
  rememberRefused: boolean;
}

/** `size` requests at once and `refill` more every second. */
export function burst(refill: number, size: number, now: Clock): Rule {
  return {
    local: memoryTokenBucket({ refill, intervalMs: 1_000, size }, now, new RecentMap(CAPACITY)),
    remote: Ratelimit.tokenBucket(refill, "1 s", size),
    rememberRefused: true,
  };
}

/** `tokens` requests in any `minutes`, as exactly as two counters allow. `windows` is the memory of this process. */
export function sliding(
  tokens: number,
  minutes: number,
  now: Clock,
  windows: Windows = new RecentMap(CAPACITY),
): Rule {
  return {
    local: memorySlidingWindow(tokens, minutes * MINUTE_MS, now, windows),
    remote: Ratelimit.slidingWindow(tokens, `${minutes} m`),
    rememberRefused: false,
  };
}
