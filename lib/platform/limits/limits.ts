import { Ratelimit } from "@upstash/ratelimit";
import { type Env, env } from "@/lib/platform/env";
import { addressBucket } from "@/lib/platform/limits/address";
import { type KeyLimitSettings, type KeyLimits, keyLimits } from "@/lib/platform/limits/key-limits";
import { inProcess, inStore, Limiter, type MakeLimiter } from "@/lib/platform/limits/limiter";
import type { Clock } from "@/lib/platform/limits/memory";
import { Outage } from "@/lib/platform/limits/outage";
import { sliding } from "@/lib/platform/limits/rules";
import { openStore, type Store, type StoreSettings } from "@/lib/platform/limits/store";
import type { Verdict } from "@/lib/platform/limits/verdict";
import { singleton } from "@/lib/platform/singleton";

export type LimitSettings = StoreSettings & KeyLimitSettings & Pick<Env, "IP_REQUESTS_PER_MINUTE">;

/** Every limit except the monthly quota and the daily budgets, which PostgreSQL counts. No check throws. */
export interface Limits extends KeyLimits {
  /** One request from an address: the peer's, or the address that the trusted proxies name. */
  ip(address: string): Promise<Verdict>;
  /** The verdict of {@link ip} without counting. Its numbers are sent with answers that no key paid for. */
  peekIp(address: string): Promise<Verdict>;
  /** One attempt to sign in: 5 in 15 minutes per account and address, 20 an hour per address. */
  signIn(email: string, address: string): Promise<Verdict>;
  /** Uncounts a successful attempt: only wrong ones use up the limits. */
  signedIn(email: string, address: string): Promise<void>;
  /** One email requested without a session: 5 an hour per account and address, 60 an hour per address. */
  accountEmail(email: string, address: string): Promise<Verdict>;
  /** One such email to a mailbox, from any address: 10 an hour. */
  recipient(email: string): Promise<Verdict>;
  /** One invitation by email: 5 an hour per inviter and recipient, 60 an hour per inviter. */
  invitation(userId: string, email: string): Promise<Verdict>;
  /** One email about an app's stock to a mailbox: 5 a day. */
  stockEmail(appId: string, email: string): Promise<Verdict>;
  /** One new click; `place` is the hash of a link and an address: 120 an hour. */
  click(place: string): Promise<Verdict>;
  /** One one-time password of a second factor: 5 in 15 minutes per account, from all addresses together. */
  secondFactor(userId: string): Promise<Verdict>;
  /** Uncounts a successful attempt: only wrong ones use up the limit. */
  secondFactorPassed(userId: string): Promise<void>;
  /** Closes the connection to the store. */
  close(): void;
}

/** The process's limits, in the store of the environment. Without a store each process counts for itself. */
export function limits(): Limits {
  return singleton("limits", () => createLimits(env()));
}

/** Separate limits, for tests; everything else uses {@link limits}. */
export function createLimits(settings: LimitSettings, now: Clock = Date.now, patience?: number): Limits {
  const store = openStore(settings);
  const make = limiters(store, now, patience);
  const ip = make("ip", sliding(settings.IP_REQUESTS_PER_MINUTE, 1, now));
  const click = make("click", sliding(120, 60, now));
  return {
    ip: (address) => ip.take(addressBucket(address)),
    peekIp: (address) => ip.peek(addressBucket(address)),
    click: (place) => click.take(place),
    ...keyLimits(make, settings, now),
    ...signInLimits(make, now),
    ...mailLimits(make, now),
    ...secondFactorLimits(make, now),
    close: () => store?.close(),
  };
}

/** Counts before the password is checked, so that parallel attempts are limited like successive ones. */
function signInLimits(make: MakeLimiter, now: Clock): Pick<Limits, "signIn" | "signedIn"> {
  const account = make("sign-in-account", sliding(5, 15, now));
  const perAddress = make("sign-in", sliding(20, 60, now));
  return {
    async signIn(email, address) {
      const [both, bucket] = ids(email, address);
      const verdict = await perAddress.take(bucket);
      return verdict.allowed ? account.take(both) : verdict;
    },
    async signedIn(email, address) {
      const [both, bucket] = ids(email, address);
      await Promise.all([account.giveBack(both), perAddress.giveBack(bucket)]);
    },
  };
}

/** The two buckets of an attempt: account and address together, and the address alone. */
function ids(email: string, address: string): [both: string, bucket: string] {
  const bucket = addressBucket(address);
  return [`${email}|${bucket}`, bucket];
}

function mailLimits(
  make: MakeLimiter,
  now: Clock,
): Pick<Limits, "accountEmail" | "recipient" | "invitation" | "stockEmail"> {
  const account = make("mail-account", sliding(5, 60, now));
  const perAddress = make("mail-address", sliding(60, 60, now));
  const mailbox = make("mail-recipient", sliding(10, 60, now));
  const invited = make("mail-invited", sliding(5, 60, now));
  const inviter = make("mail-inviter", sliding(60, 60, now));
  const stock = make("mail-stock", sliding(5, 24 * 60, now));
  return {
    async accountEmail(email, address) {
      const [both, bucket] = ids(email, address);
      const verdict = await perAddress.take(bucket);
      return verdict.allowed ? account.take(both) : verdict;
    },
    recipient: (email) => mailbox.take(email),
    stockEmail: (appId, email) => stock.take(`${appId}|${email.toLowerCase()}`),
    async invitation(userId, email) {
      const verdict = await inviter.take(userId);
      return verdict.allowed ? invited.take(`${userId}|${email}`) : verdict;
    },
  };
}

function secondFactorLimits(
  make: MakeLimiter,
  now: Clock,
): Pick<Limits, "secondFactor" | "secondFactorPassed"> {
  const codes = make("second-factor", sliding(5, 15, now));
  return {
    secondFactor: (userId) => codes.take(userId),
    secondFactorPassed: (userId) => codes.giveBack(userId),
  };
}

/** All limiters of a store share one `Outage`: one log line, one probe. */
function limiters(store: Store | undefined, now: Clock, patience?: number): MakeLimiter {
  if (!store) return (name, rule) => new Limiter(inProcess(`metacode:${name}`, rule.local), now);
  const probe = inStore("metacode:probe", Ratelimit.fixedWindow(1_000_000, "1 m"), store, false);
  const outage = new Outage(() => probe.limit("probe"), now, patience);
  return (name, rule) =>
    new Limiter(inProcess(`metacode:${name}`, rule.local), now, {
      limit: inStore(`metacode:${name}`, rule.remote, store, rule.rememberRefused),
      outage,
    });
}
