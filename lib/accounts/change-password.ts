import { and, eq, sql } from "drizzle-orm";
import { noticeLetter } from "@/lib/accounts/letters";
import { hashPassword, requirePassword } from "@/lib/accounts/password";
import { provePassword } from "@/lib/accounts/prove-password";
import type { SignedIn } from "@/lib/accounts/sign-in";
import { endTokens } from "@/lib/accounts/token";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { sendMail } from "@/lib/mail/send";

interface PasswordChange {
  password: string;
  newPassword: string;
  address: string;
}

/**
 * Changes the password of somebody who knows the present one, and ends every session; the answer is what a new one is
 * made of. Throws VALIDATION_ERROR, UNAUTHORIZED, RATE_LIMITED, and CONFLICT for an account without a password: a
 * borrowed session could give itself one, so the first comes by `requestReset`.
 */
export async function changePassword(db: Db, userId: string, input: PasswordChange): Promise<SignedIn> {
  requirePassword(input.newPassword, "newPassword");
  const user = await provePassword(db, userId, input.password, input.address);
  if (user.passwordHash === null)
    return fail("CONFLICT", "Ask for a link by mail to set your first password");
  const old = user.passwordHash;
  const passwordHash = await hashPassword(input.newPassword);
  return db.transaction(async (tx) => {
    const [changed] = await tx.orm
      .update(users)
      .set({ passwordHash, sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(and(eq(users.id, userId), eq(users.passwordHash, old)))
      .returning({ id: users.id, sessionVersion: users.sessionVersion });
    if (!changed) return fail("CONFLICT", "The password was changed elsewhere just now");
    await endTokens(tx, userId);
    await sendMail(tx, noticeLetter({ to: user.email, name: user.name }, "Your password was changed"));
    return changed;
  });
}
