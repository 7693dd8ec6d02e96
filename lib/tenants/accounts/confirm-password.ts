import type { Db } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { PASSWORD_MAX, verifyPassword } from "./password";
import { throttle } from "./throttle";
import { getUser, type User } from "./user";

/**
 * Asks a signed-in user for the password again, before changes that a stolen session must not make. Accounts without a
 * password pass. Throws UNAUTHORIZED and, by the same limit as signing in, RATE_LIMITED.
 */
export async function confirmPassword(
  db: Db,
  userId: string,
  password: string | undefined,
  address: string,
): Promise<User> {
  const user = await getUser(db, userId);
  if (user.passwordHash === null) return user;
  throttle(await limits().signIn(user.email, address));
  const typed = (password ?? "").slice(0, PASSWORD_MAX + 1);
  if (!(await verifyPassword(user.passwordHash, typed))) {
    fail("UNAUTHORIZED", "This is not your password", { field: "password" });
  }
  await limits().signedIn(user.email, address);
  return user;
}
