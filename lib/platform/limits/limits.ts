import { createHmac } from "node:crypto";
import { Ratelimit } from "@upstash/ratelimit";
import { type Env, env } from "@/lib/platform/env";
import { addressBucket } from "@/lib/platform/limits/address";
import { type AttemptLimits, attemptLimits, type Guesser } from "@/lib/platform/limits/attempts";
import type { LimitDecision } from "@/lib/platform/limits/decision";
import { type KeyLimiters, type KeyLimitSettings, keyLimiters } from "@/lib/platform/limits/key-limits";
import { inProcess, inStore, Limiter, type MakeLimiter } from "@/lib/platform/limits/limiter";
import type { Clock } from "@/lib/platform/limits/memory";
import { Outage } from "@/lib/platform/limits/outage";
import { sliding } from "@/lib/platform/limits/rules";
import { type LimitStore, openStore, type StoreSettings } from "@/lib/platform/limits/store";
import { deriveKey } from "@/lib/platform/secrets/seal";
import { singleton } from "@/lib/platform/singleton";

export type LimitSettings = StoreSettings &
  KeyLimitSettings &
  Pick<Env, "IP_REQUESTS_PER_MINUTE" | "AUTH_SECRET">;

/** Every limit except the monthly quota and the daily budgets, which PostgreSQL counts. No check throws. */
export interface Limits extends AttemptLimits, KeyLimiters {
  /** One request from an address: the peer's, or the address that the trusted proxies name. */
  ip(address: string): Promise<LimitDecision>;
  /** The decision of {@link ip} without counting. Its numbers are sent with responses to callers without a key. */
  peekIp(address: string): Promise<LimitDecision>;
  /** One request for an emailed link: 60 an hour per address, or 5 an hour per familiar browser. */
  accountEmail(guesser: Guesser): Promise<LimitDecision>;
  /** One invitation by email: 5 an hour per inviter and recipient, 60 an hour per inviter. */
  invitation(userId: string, email: string): Promise<LimitDecision>;
  /** One email to a mailbox about a problem of an app: 5 a day, and 50 a day about any of `within`, such as the app. */
  problemEmail(appId: string, problem: string, email: string, within?: string): Promise<LimitDecision>;
  /** One test email of an alert channel by a member: 60 an hour. */
  testSender(userId: string): Promise<LimitDecision>;
  /** One test email to a mailbox: 5 a day of `within`, an app or all. */
  testEmail(within: string, email: string): Promise<LimitDecision>;
  /** One opening of the demo: 20 an hour per address, like sign-ins. */
  demo(address: string): Promise<LimitDecision>;
  /** One new click; `place` is the hash of a link and an address: 120 an hour. */
  click(place: string): Promise<LimitDecision>;
  /** Closes the connection to the store. */
  close(): void;
}

/** The process's limits, in the store of the environment. Without a store each process counts for itself. */
export function limits(): Limits {
  return singleton("limits", () => createLimits(env()));
}

/** Separate limits, for tests; everything else uses {@link limits}. `timeoutMs` bounds a call of the store. */
export function createLimits(settings: LimitSettings, now: Clock = Date.now, timeoutMs?: number): Limits {
  const store = openStore(settings, timeoutMs);
  const make = limiters(store, settings.AUTH_SECRET, now, timeoutMs);
  const ip = make("ip", sliding(settings.IP_REQUESTS_PER_MINUTE, 1, now));
  const click = make("click", sliding(120, 60, now));
  const demo = make("demo", sliding(20, 60, now));
  return {
    ip: (address) => ip.take(addressBucket(address)),
    peekIp: (address) => ip.peek(addressBucket(address)),
    click: (place) => click.take(place),
    demo: (address) => demo.take(addressBucket(address)),
    ...keyLimiters(make, settings, now),
    ...attemptLimits(make, now),
    ...mailLimits(make, now),
    close: () => store?.close(),
  };
}

function mailLimits(
  make: MakeLimiter,
  now: Clock,
): Pick<Limits, "accountEmail" | "invitation" | "problemEmail" | "testSender" | "testEmail"> {
  const perAddress = make("mail-address", sliding(60, 60, now));
  const perDevice = make("mail-device", sliding(5, 60, now));
  const invited = make("mail-invited", sliding(5, 60, now));
  const inviter = make("mail-inviter", sliding(60, 60, now));
  const perProblem = make("mail-problem", sliding(5, 24 * 60, now));
  const perApp = make("mail-app", sliding(50, 24 * 60, now));
  const tester = make("mail-tester", sliding(60, 60, now));
  const tested = make("mail-tested", sliding(5, 24 * 60, now));
  return {
    accountEmail: ({ address, device }) =>
      device ? perDevice.take(device) : perAddress.take(addressBucket(address)),
    problemEmail: (appId, problem, email, within = appId) => {
      const mailbox = email.toLowerCase();
      return takeBoth([perProblem, `${appId}|${problem}|${mailbox}`], [perApp, `${within}|${mailbox}`]);
    },
    testSender: (userId) => tester.take(userId),
    testEmail: (within, email) => tested.take(`${within}|${email.toLowerCase()}`),
    invitation: (userId, email) => takeBoth([inviter, userId], [invited, `${userId}|${email}`]),
  };
}

type Counter = [limiter: Limiter, id: string];

/** Takes a unit of each, and returns the first if the second refuses, because no email is sent then. */
async function takeBoth([first, id]: Counter, [second, secondId]: Counter): Promise<LimitDecision> {
  const decision = await first.take(id);
  if (!decision.allowed) return decision;
  const last = await second.take(secondId);
  if (!last.allowed) await first.giveBack(id);
  return last;
}

/** All limiters of a store share one `Outage`: one log line, one probe. */
function limiters(
  store: LimitStore | undefined,
  secret: string | undefined,
  now: Clock,
  timeoutMs?: number,
): MakeLimiter {
  if (!store) return (name, rule) => new Limiter(inProcess(`metacode:${name}`, rule.local), now);
  const probe = inStore("metacode:probe", Ratelimit.fixedWindow(1_000_000, "1 m"), store, false);
  if (!secret)
    throw new Error("AUTH_SECRET is missing: without it Redis would hold addresses that can be guessed");
  const key = deriveKey(secret, "limits");
  const nameOf = (id: string) => createHmac("sha256", key).update(id).digest("base64url");
  const outage = new Outage(() => probe.limit("probe"), now, timeoutMs);
  return (name, rule) =>
    new Limiter(inProcess(`metacode:${name}`, rule.local), now, {
      limit: inStore(`metacode:${name}`, rule.remote, store, rule.rememberRefused),
      nameOf,
      outage,
    });
}
