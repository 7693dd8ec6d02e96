import type { RatelimitConfig } from "@upstash/ratelimit";
import type { Buckets } from "@/lib/limits/buckets";

/** What the library calls an algorithm. The two here keep their state in this process and never touch Redis. */
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

/** Tokens come `refill` at a time, every `intervalMs`, up to `size`. */
interface BucketRule {
  refill: number;
  intervalMs: number;
  size: number;
}

/**
 * The library's token bucket without Redis. The arithmetic is that of its script, so that a limit means the same
 * whatever the store.
 */
export function memoryTokenBucket(rule: BucketRule, now: Clock, buckets: Buckets<Bucket>): Limiting {
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

/** The library's sliding window without Redis: at most `tokens` in `windowMs`, the window before counting in part. */
export function memorySlidingWindow(
  tokens: number,
  windowMs: number,
  now: Clock,
  buckets: Buckets<Window>,
): Limiting {
  return algorithm((id, count) => {
    const at = now();
    const window = windowAt(buckets.get(id), Math.floor(at / windowMs));
    const left = tokens - window.count - Math.floor((1 - (at % windowMs) / windowMs) * window.before);
    const reset = (window.index + 1) * windowMs;
    if (count === 0 || (count > 0 && left <= 0)) return answer(left > 0, tokens, left, reset);
    window.count = Math.max(0, window.count + count);
    buckets.set(id, window);
    return answer(true, tokens, left - count, reset);
  });
}

function refill(bucket: Bucket, { refill, intervalMs, size }: BucketRule, at: number): void {
  // A clock set back would otherwise leave the bucket without a refill until the old time comes again.
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

/** `ask` judges one identifier and takes `count` from what it has left: 0 looks only, a window takes -1 back. */
function algorithm(ask: (id: string, count: number) => ReturnType<typeof answer>): Limiting {
  const made: ReturnType<Limiting> = {
    limit: async (_context, id, rate) => ask(id, rate ?? 1),
    getRemaining: async (_context, id) => ask(id, 0),
    resetTokens: async () => {},
  };
  return () => made;
}
