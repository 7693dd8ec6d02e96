import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { recordAccountEvent } from "@/lib/tenants/accounts/events";
import type { SessionClaims } from "@/lib/tenants/accounts/session";
import {
  type Caller,
  guesserOf,
  recordRefusal,
  recordWrongAttempt,
  throttleAttempt,
} from "@/lib/tenants/accounts/throttle";
import { getUser, type User } from "@/lib/tenants/accounts/user";
import { consumeRecoveryCode } from "./recovery";
import { unseal } from "./seal";
import { stepOf } from "./totp";

/**
 * Verifies the second factor of a user who enabled it: a one-time password or a recovery code, each of which works once.
 * Throws UNAUTHORIZED, and RATE_LIMITED after too many wrong codes, before another one-time password is checked. A
 * recovery code is checked in any case: it cannot be guessed, and a thief with the password would lock out the owner.
 */
export async function verifySecondFactor(db: Db, user: User, typed: string, caller: Caller): Promise<void> {
  const code = typed.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  const { address } = caller;
  const guesser = guesserOf(user, caller);
  const decision = await limits().secondFactor(user.id, guesser);
  const attempt = { guessed: "code", user, guesser, decision } as const;
  const oneTime = /^\d{6}$/.test(code);
  if (oneTime) await throttleAttempt(db, attempt);
  else await recordRefusal(db, attempt);
  const right = await (oneTime ? consumePassword(db, user, code) : consumeRecoveryCode(db, user.id, code));
  if (!right) {
    // Wrong recovery codes over the limit are not recorded one by one: they would fill the log.
    if (decision.allowed) await recordWrongAttempt(db, attempt);
    fail("UNAUTHORIZED", "This code is wrong or was already used. Wait for the next one", { field: "code" });
  }
  if (decision.allowed) await limits().secondFactorPassed(user.id, guesser);
  if (!oneTime) await recordAccountEvent(db, { userId: user.id, action: "recovery_code.used", address });
}

/** Undefined when no key of the environment opens it; recovery codes still work then. */
function unsealSecret(user: User): Buffer | undefined {
  try {
    return user.totpSecret ? unseal(user.totpSecret, user.id) : undefined;
  } catch {
    log().error({ user: user.id }, "cannot unseal a second factor: its key is missing from SEALING_KEYS");
    return undefined;
  }
}

/** Accepts only a later time step than the last, in one statement: of two equal passwords one is refused. */
async function consumePassword(db: Db, user: User, password: string): Promise<boolean> {
  const secret = unsealSecret(user);
  const step = secret && stepOf(secret, password);
  if (step === undefined) return false;
  const taken = await db.orm
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, user.id), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))));
  return (taken.rowCount ?? 0) > 0;
}

/**
 * Completes a sign-in whose first factor returned `needsCode`. Throws RATE_LIMITED, and UNAUTHORIZED for a wrong code or
 * when every session was ended since the first factor.
 */
export async function finishSignIn(
  db: Db,
  claims: SessionClaims,
  { code, ...caller }: Caller & { code: string },
): Promise<SessionClaims> {
  const user = await getUser(db, claims.id);
  if (user.sessionVersion !== claims.sessionVersion)
    fail("UNAUTHORIZED", "Your sign-in has expired. Sign in again");
  // Disabled in between: the first factor is enough.
  if (user.totpEnabledAt) await verifySecondFactor(db, user, code, caller);
  const { address } = caller;
  await recordAccountEvent(db, { userId: user.id, action: "sign_in.succeeded", detail: "Code", address });
  return claims;
}
