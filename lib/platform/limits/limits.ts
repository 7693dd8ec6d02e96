import { Ratelimit } from "@upstash/ratelimit";
import { type Env, env } from "@/lib/platform/env";
import { addressBucket } from "@/lib/platform/limits/address";
import { inProcess, inStore, Limiter } from "@/lib/platform/limits/limiter";
import type { Clock } from "@/lib/platform/limits/memory";
import { Outage } from "@/lib/platform/limits/outage";
import { burst, type Rule, sliding } from "@/lib/platform/limits/rules";
import { openStore, type Store, type StoreSettings } from "@/lib/platform/limits/store";
import type { Verdict } from "@/lib/platform/limits/verdict";
import { singleton } from "@/lib/platform/singleton";

export type LimitSettings = StoreSettings &
  Pick<
    Env,
    "KEY_BURST_PER_SECOND" | "KEY_BURST_SIZE" | "KEY_UNKNOWN_METACODES_PER_HOUR" | "IP_REQUESTS_PER_MINUTE"
  >;

/** Every limit except the monthly quota, which PostgreSQL counts. No check throws, whatever the store does. */
export interface Limits {
  /** One request of a verified key: `KEY_BURST_SIZE` at once, `KEY_BURST_PER_SECOND` in the long run. */
  key(keyId: string): Promise<Verdict>;
  /** One request from an address: the peer's, or the address that the trusted proxies name. */
  ip(address: string): Promise<Verdict>;
  /** The verdict of {@link ip} without counting. Its numbers are sent with answers that no key paid for. */
  peekIp(address: string): Promise<Verdict>;
  /** One unknown metacode of a guesser, which is a key and an address. */
  unknownMetacode(guesser: string): Promise<Verdict>;
  /** Whether a guesser may go on, without counting, so that a request is refused before it runs. */
  peekUnknownMetacode(guesser: string): Promise<Verdict>;
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
  const key = make("key", burst(settings.KEY_BURST_PER_SECOND, settings.KEY_BURST_SIZE, now));
  const ip = make("ip", sliding(settings.IP_REQUESTS_PER_MINUTE, 1, now));
  const click = make("click", sliding(120, 60, now));
  const unknown = make("unknown", sliding(settings.KEY_UNKNOWN_METACODES_PER_HOUR, 60, now));
  return {
    key: (keyId) => key.take(keyId),
    ip: (address) => ip.take(addressBucket(address)),
    peekIp: (address) => ip.peek(addressBucket(address)),
    unknownMetacode: (guesser) => unknown.take(guesser),
    peekUnknownMetacode: (guesser) => unknown.peek(guesser),
    click: (place) => click.take(place),
    ...signInLimits(make, now),
    ...mailLimits(make, now),
    ...secondFactorLimits(make, now),
    close: () => store?.close(),
  };
}

/** Counts before the password is checked, so that parallel attempts are limited like successive ones. */
function signInLimits(make: Make, now: Clock): Pick<Limits, "signIn" | "signedIn"> {
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
  make: Make,
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

function secondFactorLimits(make: Make, now: Clock): Pick<Limits, "secondFactor" | "secondFactorPassed"> {
  const codes = make("second-factor", sliding(5, 15, now));
  return {
    secondFactor: (userId) => codes.take(userId),
    secondFactorPassed: (userId) => codes.giveBack(userId),
  };
}

type Make = (name: string, rule: Rule) => Limiter;

/** All limiters of a store share one `Outage`: one log line, one probe. */
function limiters(store: Store | undefined, now: Clock, patience?: number): Make {
  if (!store) return (name, rule) => new Limiter(inProcess(`metacode:${name}`, rule.local), now);
  const probe = inStore("metacode:probe", Ratelimit.fixedWindow(1_000_000, "1 m"), store, false);
  const outage = new Outage(() => probe.limit("probe"), now, patience);
  return (name, rule) =>
    new Limiter(inProcess(`metacode:${name}`, rule.local), now, {
      limit: inStore(`metacode:${name}`, rule.remote, store, rule.rememberRefused),
      outage,
    });
}
