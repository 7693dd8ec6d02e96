import { addressBucket } from "@/lib/platform/limits/address";
import type { LimitDecision } from "@/lib/platform/limits/decision";
import type { Limiter, MakeLimiter } from "@/lib/platform/limits/limiter";
import { type Clock, HashedWindows } from "@/lib/platform/limits/memory";
import { sliding } from "@/lib/platform/limits/rules";

const DAY_MINUTES = 24 * 60;

/** Wrong passwords and codes per account and day, for all unfamiliar browsers together and for all familiar ones. */
export const PASSWORD_GUESSES = 30;
export const CODE_GUESSES = 20;

/** Places for the email addresses that are tried in a day, 20 MB at most. Callers may invent more than that. */
const DAY_PLACES = 2 ** 18;

/** The origin of an attempt: its address, and the id of a browser in which the account has signed in before. */
export interface Guesser {
  address: string;
  device?: string | undefined;
  /** The account's version of sessions, for a familiar browser: a new password begins a new day for familiar ones. */
  sessionVersion?: number | undefined;
}

export interface AttemptDecision extends LimitDecision {
  /** Whether the day's limit is used up, by this attempt or an earlier one. */
  usedUp: boolean;
  /** The first attempt of a day that a limit of the account refuses. */
  firstRefused: boolean;
}

/** Limits of guessing. Only wrong attempts use them up: the units of a correct one and of a refused one are returned. */
export interface AttemptLimits {
  /**
   * One password. An unfamiliar browser has 5 in 15 minutes per account and address and 20 an hour per address, and
   * shares {@link PASSWORD_GUESSES} a day per account with all others. A familiar one has 5 in 15 minutes of its own
   * and shares as many a day with all familiar ones, so that strangers cannot lock the owner out.
   */
  signIn(email: string, guesser: Guesser): Promise<AttemptDecision>;
  signedIn(email: string, guesser: Guesser): Promise<void>;
  /** One one-time password: 5 in 15 minutes and {@link CODE_GUESSES} a day per account; a familiar browser as above. */
  secondFactor(userId: string, guesser: Guesser): Promise<AttemptDecision>;
  secondFactorPassed(userId: string, guesser: Guesser): Promise<void>;
}

/** A limiter and the id that it counts, in the order in which they are taken; the last is the day's, of the account. */
type Counters = [limiter: Limiter, id: string][];

/** Counts before the secret is checked, so that parallel attempts are limited like successive ones. */
export function attemptLimits(make: MakeLimiter, now: Clock): AttemptLimits {
  const perAddress = make("sign-in", sliding(20, 60, now));
  const perBoth = make("sign-in-account", sliding(5, 15, now));
  const perDevice = make("sign-in-device", sliding(5, 15, now));
  const days = new HashedWindows(DAY_PLACES);
  const perDay = make("sign-in-day", sliding(PASSWORD_GUESSES, DAY_MINUTES, now, days));
  const familiarPerDay = make("sign-in-familiar-day", sliding(PASSWORD_GUESSES, DAY_MINUTES, now));
  const codes = make("second-factor", sliding(5, 15, now));
  const codesPerDevice = make("second-factor-device", sliding(5, 15, now));
  const codesPerDay = make("second-factor-day", sliding(CODE_GUESSES, DAY_MINUTES, now));
  const familiarCodesPerDay = make("second-factor-familiar-day", sliding(CODE_GUESSES, DAY_MINUTES, now));
  const refusals = make("attempt-refused", sliding(1, DAY_MINUTES, now));

  const ofPassword = (email: string, { address, device, sessionVersion }: Guesser): Counters => {
    const bucket = addressBucket(address);
    return device
      ? [
          [perDevice, `${email}|${device}`],
          [familiarPerDay, `${email}|${sessionVersion}`],
        ]
      : [
          [perAddress, bucket],
          [perBoth, `${email}|${bucket}`],
          [perDay, email],
        ];
  };
  const ofCode = (userId: string, { device, sessionVersion }: Guesser): Counters =>
    device
      ? [
          [codesPerDevice, `${userId}|${device}`],
          [familiarCodesPerDay, `${userId}|${sessionVersion}`],
        ]
      : [
          [codes, userId],
          [codesPerDay, userId],
        ];
  /**
   * Takes a unit of each until one refuses, and then returns the others, because no secret is checked: a refused
   * account must not use up its address. A refused address has not touched the account.
   */
  const take = async (counters: Counters, account: string): Promise<AttemptDecision> => {
    for (const [index, [limiter, id]] of counters.entries()) {
      const decision = await limiter.take(id);
      const last = limiter === counters.at(-1)?.[0];
      if (decision.allowed && !last) continue;
      if (!decision.allowed) await giveBack(counters.slice(0, index));
      const firstRefused =
        !decision.allowed && limiter !== perAddress && (await refusals.take(account)).allowed;
      return { ...decision, usedUp: last && decision.remaining === 0, firstRefused };
    }
    throw new Error("an attempt is counted at least once");
  };
  return {
    signIn: (email, guesser) => take(ofPassword(email, guesser), email),
    signedIn: (email, guesser) => giveBack(ofPassword(email, guesser)),
    secondFactor: (userId, guesser) => take(ofCode(userId, guesser), userId),
    secondFactorPassed: (userId, guesser) => giveBack(ofCode(userId, guesser)),
  };
}

async function giveBack(counters: Counters): Promise<void> {
  await Promise.all(counters.map(([limiter, id]) => limiter.giveBack(id)));
}
