import { eq } from "drizzle-orm";
import { PASSWORD_MAX, verifyPassword } from "@/lib/accounts/password";
import { throttle } from "@/lib/accounts/throttle";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { limits } from "@/lib/limits/limits";

export type User = typeof users.$inferSelect;

/** The row of somebody who is signed in. Throws UNAUTHORIZED where the account is gone. */
export async function findUser(db: Db, userId: string): Promise<User> {
  const [user] = await db.orm.select().from(users).where(eq(users.id, userId));
  return user ?? fail("UNAUTHORIZED", "This account is gone");
}

/**
 * The person proves again who sits there, before something that a borrowed session must not do. An account without a
 * password has nothing to prove. Throws UNAUTHORIZED and, with the limit of signing in, RATE_LIMITED.
 */
export async function provePassword(
  db: Db,
  userId: string,
  password: string | undefined,
  address: string,
): Promise<User> {
  const user = await findUser(db, userId);
  if (user.passwordHash === null) return user;
  throttle(await limits().signIn(user.email, address));
  const given = (password ?? "").slice(0, PASSWORD_MAX + 1);
  if (!(await verifyPassword(user.passwordHash, given))) {
    fail("UNAUTHORIZED", "This is not your password", { field: "password" });
  }
  await limits().signedIn(user.email, address);
  return user;
}
