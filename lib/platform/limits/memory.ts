import { createHmac, randomBytes } from "node:crypto";
import type { RatelimitConfig } from "@upstash/ratelimit";
import type { RecentMap } from "@/lib/platform/limits/recent-map";

/** The library's type of an algorithm. These two keep their state in this process and never use Redis. */
export type Limiting = RatelimitConfig["limiter"];

/** Milliseconds since 1970. */
export type Clock = () => number;

export interface Bucket {
  tokens: number;
  refilledAt: number;
}

export interface Window {
  index: number;
  count: number;
  before: number;
}

/** The windows that a limit remembers, by identifier. */
export type Windows = Pick<RecentMap<Window>, "get" | "set">;

/**
 * Windows that no number of other identifiers displaces: each has one of `places` by a keyed hash. A few share theirs, and
 * no caller can find out which.
 */
export class HashedWindows implements Windows {
  private readonly key = randomBytes(16);
  private readonly windows = new Map<number, Window>();

  constructor(private readonly places: number) {}

  get(id: string): Window | undefined {
    return this.windows.get(this.placeOf(id));
  }

  set(id: string, window: Window): void {
    this.windows.set(this.placeOf(id), window);
  }

  private placeOf(id: string): number {
    return createHmac("sha256", this.key).update(id).digest().readUInt32BE() % this.places;
  }
}

/** `refill` tokens are added every `intervalMs`, up to `size`. */
interface BucketRule {
  refill: number;
  intervalMs: number;
  size: number;
}

/**
 * The library's token bucket without Redis. It uses the arithmetic of its script, so that a limit means the same with
 * every store.
 */
export function memoryTokenBucket(rule: BucketRule, now: Clock, buckets: RecentMap<Bucket>): Limiting {
  return algorithm((id, count) => {
    const at = now();
    const bucket = buckets.get(id) ?? { tokens: rule.size, refilledAt: at };
    refill(bucket, rule, at);
    const success = bucket.tokens > 0;
    if (count > 0 && success) bucket.tokens -= 1;
    if (count > 0) buckets.set(id, bucket);
    return answer(success, rule.size, bucket.tokens, bucket.refilledAt + rule.intervalMs);
  });
}

/** The library's sliding window without Redis: at most `tokens` in `windowMs`; the previous window counts in part. */
export function memorySlidingWindow(
  tokens: number,
  windowMs: number,
  now: Clock,
  buckets: Windows,
): Limiting {
  return algorithm((id, count) => {
    const at = now();
    const window = windowAt(buckets.get(id), Math.floor(at / windowMs));
    const left = tokens - window.count - Math.floor((1 - (at % windowMs) / windowMs) * window.before);
    const reset = (window.index + 1) * windowMs;
    if (count === 0 || (count > 0 && left <= 0)) return answer(left > 0, tokens, left, reset);
    if (window.count + count < 0) return answer(false, tokens, left, reset);
    window.count += count;
    buckets.set(id, window);
    return answer(true, tokens, left - count, reset);
  });
}

function refill(bucket: Bucket, { refill, intervalMs, size }: BucketRule, at: number): void {
  // A clock that is set back would otherwise stop the refill until the old time is reached again.
  if (at < bucket.refilledAt) bucket.refilledAt = at;
  const times = Math.floor((at - bucket.refilledAt) / intervalMs);
  bucket.tokens = Math.min(size, bucket.tokens + times * refill);
  bucket.refilledAt += times * intervalMs;
}

function windowAt(seen: Window | undefined, index: number): Window {
  if (seen?.index === index) return seen;
  return { index, count: 0, before: seen?.index === index - 1 ? seen.count : 0 };
}

const DONE = Promise.resolve();

function answer(success: boolean, limit: number, remaining: number, reset: number) {
  return { success, limit, remaining: Math.max(0, remaining), reset, pending: DONE };
}

/** `decide` is called with an identifier and the requests to count: 0 only looks, -1 uncounts from a window. */
function algorithm(decide: (id: string, count: number) => ReturnType<typeof answer>): Limiting {
  const made: ReturnType<Limiting> = {
    limit: async (_context, id, rate) => decide(id, rate ?? 1),
    getRemaining: async (_context, id) => decide(id, 0),
    resetTokens: async () => {},
  };
  return () => made;
}
