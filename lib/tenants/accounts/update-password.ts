import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import { confirmPassword } from "./confirm-password";
import { noticeEmail } from "./emails";
import { recordAccountEvent } from "./events";
import { hashPassword } from "./password";
import { requireGoodPassword } from "./password-strength";
import { deleteSessions, type SessionClaims } from "./session";
import type { Caller } from "./throttle";
import { deleteTokens } from "./token";
import { getUser } from "./user";

interface PasswordUpdate extends Caller {
  password: string;
  newPassword: string;
}

/** The second factor that remains after a new password: one that was set up but not enabled may be a thief's. */
export const factorInEffect = sql`case when ${users.totpEnabledAt} is not null then ${users.totpSecret} end`;

/**
 * Updates the password, ends every session and returns the claims of a new one. Throws VALIDATION_ERROR, UNAUTHORIZED,
 * RATE_LIMITED, and CONFLICT for an account without a password: a stolen session must not be able to set the first one,
 * so that takes an emailed link (`requestPasswordReset`).
 */
export async function updatePassword(db: Db, userId: string, input: PasswordUpdate): Promise<SessionClaims> {
  const { passwordHash: old } = await getUser(db, userId);
  if (old === null) {
    return fail("CONFLICT", "This account has no password yet. Request a link by email to set one");
  }
  const user = await confirmPassword(db, userId, input.password, input);
  await requireGoodPassword(input.newPassword, user, "newPassword");
  const passwordHash = await hashPassword(input.newPassword);
  return db.transaction(async (tx) => {
    const [updated] = await tx.orm
      .update(users)
      .set({ passwordHash, totpSecret: factorInEffect, sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(and(eq(users.id, userId), eq(users.passwordHash, old)))
      .returning({ id: users.id, sessionVersion: users.sessionVersion });
    if (!updated) return fail("CONFLICT", "The password was just changed in another browser");
    await deleteTokens(tx, user.email);
    await deleteSessions(tx, userId);
    await sendEmail(tx, noticeEmail(user, "Your password was changed"));
    await recordAccountEvent(tx, { userId, action: "password.changed", address: input.address });
    return updated;
  });
}
