import { Ratelimit, type RatelimitConfig } from "@upstash/ratelimit";
import { type Answer, type LimitDecision, toDecision } from "@/lib/platform/limits/decision";
import type { Clock, Limiting } from "@/lib/platform/limits/memory";
import type { Outage } from "@/lib/platform/limits/outage";
import { BoundedMap } from "@/lib/platform/limits/recent-map";
import type { Rule } from "@/lib/platform/limits/rules";
import type { LimitStore } from "@/lib/platform/limits/store";

/** Refused identifiers that the library remembers, so that a caller over its limit costs the store nothing. */
const REFUSED_REMEMBERED = 10_000;

/** Required by the library, but never read by the algorithms of `memory.ts`. */
const NO_REDIS = {} as RatelimitConfig["redis"];

/** The library around an algorithm in this process: 1.3 us per decision on Node 20, 1.0 of it the library. */
export function inProcess(prefix: string, limiter: Limiting): Ratelimit {
  return new Ratelimit({ redis: NO_REDIS, prefix, limiter, timeout: 0, ephemeralCache: false });
}

/** The library around a store. Its own time-out is off, because it answers 0/0/0, which no header may show. */
export function inStore(
  prefix: string,
  limiter: Limiting,
  store: LimitStore,
  rememberRefused: boolean,
): Ratelimit {
  const ephemeralCache = rememberRefused ? new BoundedMap(REFUSED_REMEMBERED) : false;
  return new Ratelimit({
    redis: store.redis,
    prefix,
    limiter,
    timeout: 0,
    ephemeralCache,
    enableTelemetry: false,
  });
}

/**
 * One limit: decided by the store while it answers, else by the requests that this process has counted. The store gets
 * `nameOf` an id, a keyed hash, so that it holds no network address and no email address.
 */
export class Limiter {
  constructor(
    private readonly local: Ratelimit,
    private readonly now: Clock,
    private readonly remote?: { limit: Ratelimit; outage: Outage; nameOf: (id: string) => string },
  ) {}

  /** Counts one request. The local count continues while the store answers, so that an outage starts from it. */
  async take(id: string): Promise<LimitDecision> {
    const own = await this.local.limit(id);
    const { remote } = this;
    if (!remote) return toDecision(own, this.now());
    return toDecision(
      await remote.outage.attempt(() => remote.limit.limit(remote.nameOf(id)), own),
      this.now(),
    );
  }

  /** Uncounts what this process counted in this window; sliding windows only. Redis alone would go below zero. */
  async giveBack(id: string): Promise<void> {
    const own = await this.local.limit(id, { rate: -1 });
    const { remote } = this;
    if (own.success)
      await remote?.outage.attempt(() => remote.limit.limit(remote.nameOf(id), { rate: -1 }), own);
  }

  /** The decision on the next request; counts nothing. */
  async peek(id: string): Promise<LimitDecision> {
    const own = await left(this.local, id);
    const { remote } = this;
    if (!remote) return toDecision(own, this.now());
    return toDecision(
      await remote.outage.attempt(() => left(remote.limit, remote.nameOf(id)), own),
      this.now(),
    );
  }
}

/** Makes the limiter of a rule, in the store that the process uses. */
export type MakeLimiter = (name: string, rule: Rule) => Limiter;

async function left(limit: Ratelimit, id: string): Promise<Answer> {
  const answer = await limit.getRemaining(id);
  return { ...answer, success: answer.remaining > 0 };
}
