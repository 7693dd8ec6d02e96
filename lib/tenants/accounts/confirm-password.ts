import type { Db } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { PASSWORD_MAX, verifyPassword } from "./password";
import { minutesSinceSignIn } from "./session";
import { type Caller, guesserOf, recordWrongAttempt, throttleAttempt } from "./throttle";
import { getUser, type User } from "./user";

/** Minutes after signing in during which an account without a password may make protected changes. */
const FRESH_MINUTES = 10;

/**
 * Checks a signed-in user's password again before changes that a stolen session must not make. Accounts without a
 * password must have signed in recently. Throws UNAUTHORIZED and, by the same limit as signing in, RATE_LIMITED.
 */
export async function confirmPassword(
  db: Db,
  userId: string,
  password: string | undefined,
  caller: Caller,
): Promise<User> {
  const user = await getUser(db, userId);
  if (user.passwordHash === null) {
    const minutes = await minutesSinceSignIn(db, userId, caller.sessionId);
    if (minutes <= FRESH_MINUTES) return user;
    return fail("UNAUTHORIZED", `You signed in more than ${FRESH_MINUTES} minutes ago. Sign in again first`);
  }
  const guesser = guesserOf(user, caller);
  const decision = await limits().signIn(user.email, guesser);
  const attempt = { guessed: "password", user, guesser, decision } as const;
  await throttleAttempt(db, attempt);
  const typed = (password ?? "").slice(0, PASSWORD_MAX + 1);
  if (!(await verifyPassword(user.passwordHash, typed))) {
    await recordWrongAttempt(db, attempt);
    fail("UNAUTHORIZED", "The password is wrong", { field: "password" });
  }
  await limits().signedIn(user.email, guesser);
  return user;
}
