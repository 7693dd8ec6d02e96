import type { Db } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { PASSWORD_MAX, verifyPassword } from "./password";
import { type Caller, guesserOf, recordWrongAttempt, throttleAttempt } from "./throttle";
import { getUser, type User } from "./user";

/**
 * Checks a signed-in user's password again before changes that a stolen session must not make. Accounts without a
 * password pass. Throws UNAUTHORIZED and, by the same limit as signing in, RATE_LIMITED.
 */
export async function confirmPassword(
  db: Db,
  userId: string,
  password: string | undefined,
  caller: Caller,
): Promise<User> {
  const user = await getUser(db, userId);
  if (user.passwordHash === null) return user;
  const guesser = guesserOf(user, caller);
  const verdict = await limits().signIn(user.email, guesser);
  const attempt = { guessed: "password", user, guesser, verdict } as const;
  await throttleAttempt(db, attempt);
  const typed = (password ?? "").slice(0, PASSWORD_MAX + 1);
  if (!(await verifyPassword(user.passwordHash, typed))) {
    await recordWrongAttempt(db, attempt);
    fail("UNAUTHORIZED", "This is not your password", { field: "password" });
  }
  await limits().signedIn(user.email, guesser);
  return user;
}
