import type { Db } from "@/lib/platform/db/client";
import { sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import type { AttemptVerdict, Guesser } from "@/lib/platform/limits/attempts";
import { limits } from "@/lib/platform/limits/limits";
import type { Verdict } from "@/lib/platform/limits/verdict";
import { log } from "@/lib/platform/log";
import { guessingEmail } from "./emails";
import { happenedToday, recordAccountEvent } from "./events";
import { lockAccount, type User } from "./user";

/** The browser that sends a request. */
export interface Caller {
  /** The network address, for limits and the security log. */
  address: string;
  /** Present where an account has signed in from this browser before, by an encrypted cookie. */
  device?: Device | undefined;
}

/** A browser that an account has signed in from, and the email address of that account. */
export interface Device {
  id: string;
  email: string;
}

/** The caller as the limits of one account see it: a browser is familiar to the account that signed in from it only. */
export function guesserOf(email: string, { address, device }: Caller): Guesser {
  return { address, device: device?.email === email ? device.id : undefined };
}

/** Throws RATE_LIMITED with the time to wait, unless the limit allows the attempt. */
export function throttle({ allowed, retryAfter }: Verdict): void {
  if (allowed) return;
  const minutes = Math.ceil(retryAfter / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  fail("RATE_LIMITED", `Too many attempts. Try again in ${wait}`, { retryAfter });
}

/** The ways that stay open to the owner when unfamiliar browsers have used up the day's attempts. */
const WAYS_IN = {
  password:
    "Too many wrong passwords for this account today. Use a browser in which you signed in before, or choose a new password by email",
  code: "Too many wrong codes for this account today. Use a recovery code, or a browser in which you signed in before",
};

/** The guessed secret: the password, or a code of the second factor. */
type Guessed = keyof typeof WAYS_IN;

interface Attempt {
  guessed: Guessed;
  verdict: AttemptVerdict;
  address: string;
}

/** As {@link throttle}, for a password or code. */
export function throttleAttempt({ guessed, verdict, address }: Attempt): void {
  const { allowed, usedUp, retryAfter } = verdict;
  if (!allowed) log().info({ guessed, address }, "an attempt to sign in was refused by a limit");
  if (!allowed && usedUp) fail("RATE_LIMITED", WAYS_IN[guessed], { retryAfter });
  throttle(verdict);
}

/**
 * Records a wrong password or code. The one that used up the day's attempts is announced to the owner by email, once a
 * day: the account's lock lets one of several parallel attempts send it.
 */
export async function recordWrongAttempt(
  db: Db,
  user: User | undefined,
  { guessed, verdict, address }: Attempt,
): Promise<void> {
  await recordAccountEvent(db, { userId: user?.id, action: `${guessed}.wrong`, address });
  if (!user?.emailVerifiedAt || !verdict.usedUp) return;
  await db.transaction(async (tx) => {
    await lockAccount(tx, user.id);
    if (await happenedToday(tx, user.id, `${guessed}.used_up`)) return;
    await recordAccountEvent(tx, { userId: user.id, action: `${guessed}.used_up`, address });
    await sendEmail(tx, guessingEmail(user, guessed, verdict.limit));
  });
}

/** Counts a request for an emailed link. Throws RATE_LIMITED, whether or not the address has an account. */
export async function throttleEmail(email: string, caller: Caller): Promise<void> {
  throttle(await limits().accountEmail(guesserOf(email, caller)));
}
