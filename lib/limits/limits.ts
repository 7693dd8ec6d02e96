import { Ratelimit } from "@upstash/ratelimit";
import { type Env, env } from "@/lib/env";
import { addressBucket } from "@/lib/limits/address";
import { inProcess, inStore, Limiter } from "@/lib/limits/limiter";
import type { Clock } from "@/lib/limits/memory";
import { Outage } from "@/lib/limits/outage";
import { burst, type Rule, sliding } from "@/lib/limits/rules";
import { openStore, type Store, type StoreSettings } from "@/lib/limits/store";
import type { Verdict } from "@/lib/limits/verdict";
import { shared } from "@/lib/shared";

export type LimitSettings = StoreSettings &
  Pick<
    Env,
    "KEY_BURST_PER_SECOND" | "KEY_BURST_SIZE" | "KEY_UNKNOWN_METACODES_PER_HOUR" | "IP_REQUESTS_PER_MINUTE"
  >;

/** Every limit but the monthly quota, which PostgreSQL counts. No check throws, whatever the store does. */
export interface Limits {
  /** One request of a verified key: `KEY_BURST_SIZE` at once, `KEY_BURST_PER_SECOND` in the long run. */
  key(keyId: string): Promise<Verdict>;
  /** One request from an address: the peer's, or the one the trusted proxies name. */
  ip(address: string): Promise<Verdict>;
  /** What {@link ip} would say; counts nothing. Its numbers go on answers that no key paid for. */
  peekIp(address: string): Promise<Verdict>;
  /** One unknown metacode asked for with this key. */
  unknownMetacode(keyId: string): Promise<Verdict>;
  /** Whether the key may still guess; counts nothing, so that a request is refused before it executes. */
  peekUnknownMetacode(keyId: string): Promise<Verdict>;
  /** Lets go of the connection to the store. */
  close(): void;
}

/** The process's limits, kept where the environment says. Without a store each process counts for itself. */
export function limits(): Limits {
  return shared("limits", () => createLimits(env()));
}

/** Limits of their own, for tests; everything else asks {@link limits}. */
export function createLimits(settings: LimitSettings, now: Clock = Date.now): Limits {
  const store = openStore(settings);
  const make = limiters(store, now);
  const key = make("key", burst(settings.KEY_BURST_PER_SECOND, settings.KEY_BURST_SIZE, now));
  const ip = make("ip", sliding(settings.IP_REQUESTS_PER_MINUTE, 1, now));
  const unknown = make("unknown", sliding(settings.KEY_UNKNOWN_METACODES_PER_HOUR, 60, now));
  return {
    key: (keyId) => key.take(keyId),
    ip: (address) => ip.take(addressBucket(address)),
    peekIp: (address) => ip.peek(addressBucket(address)),
    unknownMetacode: (keyId) => unknown.take(keyId),
    peekUnknownMetacode: (keyId) => unknown.peek(keyId),
    close: () => store?.close(),
  };
}

/** All limiters of a store share one `Outage`: one line in the log, one probe. */
function limiters(store: Store | undefined, now: Clock): (name: string, rule: Rule) => Limiter {
  if (!store) return (name, rule) => new Limiter(inProcess(`metacode:${name}`, rule.local), now);
  const probe = inStore("metacode:probe", Ratelimit.fixedWindow(1_000_000, "1 m"), store, false);
  const outage = new Outage(() => probe.limit("probe"), now);
  return (name, rule) =>
    new Limiter(inProcess(`metacode:${name}`, rule.local), now, {
      limit: inStore(`metacode:${name}`, rule.remote, store, rule.rememberRefused),
      outage,
    });
}
