import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { User } from "@/lib/accounts/prove-password";
import { throttle } from "@/lib/accounts/throttle";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { limits } from "@/lib/limits/limits";
import { log } from "@/lib/log";
import { takeRecoveryCode } from "./recovery";
import { unseal } from "./seal";
import { stepOf } from "./totp";

/**
 * Takes the second factor of somebody who has it on: a one-time password or a recovery code, each of which works once.
 * Throws UNAUTHORIZED, and RATE_LIMITED after five wrong ones before any is looked at.
 */
export async function takeCode(db: Db, user: User, given: string): Promise<void> {
  throttle(await limits().secondFactor(user.id));
  const code = given.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  const right = /^\d{6}$/.test(code)
    ? await takePassword(db, user, code)
    : await takeRecoveryCode(db, user.id, code);
  if (!right)
    fail("UNAUTHORIZED", "This code is wrong or was used already: wait for the next one", { field: "code" });
  await limits().secondFactorPassed(user.id);
}

/** Undefined where it was sealed with another `AUTH_SECRET`: recovery codes still work. */
function openSecret(user: User): Buffer | undefined {
  try {
    return user.totpSecret ? unseal(user.totpSecret, user.id) : undefined;
  } catch {
    log().error({ user: user.id }, "a second factor was sealed with another AUTH_SECRET");
    return undefined;
  }
}

/** Only a later time step than the last one counts, in one statement, so that of two who send the same one is refused. */
async function takePassword(db: Db, user: User, password: string): Promise<boolean> {
  const secret = openSecret(user);
  const step = secret && stepOf(secret, password);
  if (step === undefined) return false;
  const taken = await db.orm
    .update(users)
    .set({ totpLastStep: step })
    .where(and(eq(users.id, user.id), or(isNull(users.totpLastStep), lt(users.totpLastStep, step))));
  return (taken.rowCount ?? 0) > 0;
}
