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
  /** One unknown metacode asked for by whoever guesses: a key and an address. */
  unknownMetacode(guesser: string): Promise<Verdict>;
  /** Whether they may still guess; counts nothing, so that a request is refused before it executes. */
  peekUnknownMetacode(guesser: string): Promise<Verdict>;
  /** One attempt to sign in: 5 in 15 minutes for an account and address, 20 an hour for an address. */
  signIn(email: string, address: string): Promise<Verdict>;
  /** The attempt was right: only wrong ones use the limits up. */
  signedIn(email: string, address: string): Promise<void>;
  /** One mail that a stranger asks for: 5 an hour for an account and address, 60 an hour for an address. */
  accountMail(email: string, address: string): Promise<Verdict>;
  /** One such mail to a mailbox, whoever asks: 10 an hour. */
  recipient(email: string): Promise<Verdict>;
  /** One invitation by mail: 5 an hour for who invites and whom, 60 an hour for who invites. */
  invitation(userId: string, email: string): Promise<Verdict>;
  /** One mail of an app's stock to a mailbox: 5 a day. */
  stockMail(appId: string, email: string): Promise<Verdict>;
  /** One click that was not seen before, of a link and address as a hash: 120 an hour. */
  click(place: string): Promise<Verdict>;
  /** One try of a second factor: 5 in 15 minutes for an account, from wherever. */
  secondFactor(userId: string): Promise<Verdict>;
  /** The try was right: only wrong ones use the limit up. */
  secondFactorPassed(userId: string): Promise<void>;
  /** Lets go of the connection to the store. */
  close(): void;
}

/** The process's limits, kept where the environment says. Without a store each process counts for itself. */
export function limits(): Limits {
  return shared("limits", () => createLimits(env()));
}

/** Limits of their own, for tests; everything else asks {@link limits}. */
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

/** Counted before the password is looked at, so that attempts in parallel are not more than attempts in a row. */
function signInLimits(make: Make, now: Clock): Pick<Limits, "signIn" | "signedIn"> {
  const account = make("sign-in-account", sliding(5, 15, now));
  const entrance = make("sign-in", sliding(20, 60, now));
  return {
    async signIn(email, address) {
      const [both, bucket] = ids(email, address);
      const verdict = await entrance.take(bucket);
      return verdict.allowed ? account.take(both) : verdict;
    },
    async signedIn(email, address) {
      const [both, bucket] = ids(email, address);
      await Promise.all([account.giveBack(both), entrance.giveBack(bucket)]);
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
): Pick<Limits, "accountMail" | "recipient" | "invitation" | "stockMail"> {
  const account = make("mail-account", sliding(5, 60, now));
  const entrance = make("mail-address", sliding(60, 60, now));
  const mailbox = make("mail-recipient", sliding(10, 60, now));
  const invited = make("mail-invited", sliding(5, 60, now));
  const inviter = make("mail-inviter", sliding(60, 60, now));
  const stock = make("mail-stock", sliding(5, 24 * 60, now));
  return {
    async accountMail(email, address) {
      const [both, bucket] = ids(email, address);
      const verdict = await entrance.take(bucket);
      return verdict.allowed ? account.take(both) : verdict;
    },
    recipient: (email) => mailbox.take(email),
    stockMail: (appId, email) => stock.take(`${appId}|${email.toLowerCase()}`),
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

/** All limiters of a store share one `Outage`: one line in the log, one probe. */
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
