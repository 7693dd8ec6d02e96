import type { Db } from "@/lib/platform/db/client";
import { sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import type { AttemptDecision, Guesser } from "@/lib/platform/limits/attempts";
import { type LimitDecision, waitOf } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { guessingEmail } from "./emails";
import { happenedToday, recordAccountEvent } from "./events";
import { lockAccount, type User } from "./user";

/** The browser that sends a request. */
export interface Caller {
  /** The network address, for limits and the security log. */
  address: string;
  /** Present if an account has signed in from this browser before, according to an encrypted cookie. */
  device?: Device | undefined;
  /** The session of a signed-in user. */
  sessionId?: string | undefined;
}

/** A browser that an account has signed in from, with that account's email address and version of sessions. */
export interface Device {
  id: string;
  email: string;
  sessionVersion: number;
}

/**
 * The caller as the limits of one account see it. A browser is familiar only to an account that has signed in from it,
 * until all sessions of that account are ended, for example by a new password.
 */
export function guesserOf(user: User | undefined, { address, device }: Caller): Guesser {
  const familiar = user && device?.email === user.email && device.sessionVersion === user.sessionVersion;
  return familiar ? { address, device: device.id, sessionVersion: device.sessionVersion } : { address };
}

/** Throws RATE_LIMITED with the time to wait, unless the limit allows the attempt. */
export function throttle(decision: LimitDecision): void {
  const { allowed, retryAfter } = decision;
  if (allowed) return;
  fail("RATE_LIMITED", `Too many attempts. Try again in ${waitOf(decision)}`, { retryAfter });
}

/** The ways in that remain when the day's attempts are used up; {@link FAMILIAR} after unfamiliar browsers. */
const WAYS_IN = {
  password: "Too many wrong passwords for this account today. Reset your password by email",
  code: "Too many wrong codes for this account today. Use a recovery code",
};
const FAMILIAR = ", or use a browser in which you signed in before";

/** The guessed secret: the password, or a code of the second factor. */
type Guessed = keyof typeof WAYS_IN;

interface Attempt {
  guessed: Guessed;
  /** Undefined for an address without an account. */
  user: User | undefined;
  guesser: Guesser;
  decision: AttemptDecision;
}

/** {@link throttle} for a password or code. */
export async function throttleAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { guessed, guesser, decision } = attempt;
  const { allowed, usedUp, retryAfter } = decision;
  await recordRefusal(db, attempt);
  // While an authenticator is set up, there are no recovery codes.
  const isSetup = guessed === "code" && !attempt.user?.totpEnabledAt;
  if (!allowed && usedUp && !isSetup)
    fail("RATE_LIMITED", WAYS_IN[guessed] + (guesser.device ? "" : FAMILIAR), { retryAfter });
  throttle(decision);
}

/** Logs an attempt over a limit. The first one of a day is an event of the account, known or not. */
export async function recordRefusal(db: Db, { guessed, user, guesser, decision }: Attempt): Promise<void> {
  if (decision.allowed) return;
  const { address } = guesser;
  log().info({ account: user?.id, guessed, address }, "an attempt to sign in was beyond a limit");
  if (decision.firstRefused)
    await recordAccountEvent(db, { userId: user?.id, action: `${guessed}.refused`, address });
}

/**
 * Records a wrong password or code. Once a day for unfamiliar and for familiar browsers, the owner gets an email that
 * the day's attempts are used up: the account's lock lets one of several parallel attempts send it.
 */
export async function recordWrongAttempt(
  db: Db,
  { guessed, user, guesser, decision }: Attempt,
): Promise<void> {
  const { address, device } = guesser;
  await recordAccountEvent(db, { userId: user?.id, action: `${guessed}.wrong`, address });
  if (!user?.emailVerifiedAt || !decision.usedUp) return;
  // No email then: the new password that it advises would disconnect the services of an account without one, and a setup has no
  // recovery codes yet.
  const harmless =
    guessed === "password" ? !user.passwordHash && "No password set" : !user.totpEnabledAt && "During setup";
  const detail = harmless || (device && "In a browser used before");
  const event = { userId: user.id, action: `${guessed}.used_up`, detail, address } as const;
  await db.transaction(async (tx) => {
    await lockAccount(tx, user.id);
    if (await happenedToday(tx, event)) return;
    await recordAccountEvent(tx, event);
    if (harmless) return;
    await sendEmail(tx, guessingEmail(user, { guessed, count: decision.limit, familiar: Boolean(device) }));
  });
}

/** Counts a request for an emailed link. Throws RATE_LIMITED, whether or not the address has an account. */
export async function throttleEmail(email: string, { address, device }: Caller): Promise<void> {
  const familiar = device?.email === email ? device.id : undefined;
  throttle(await limits().accountEmail({ address, device: familiar }));
}
