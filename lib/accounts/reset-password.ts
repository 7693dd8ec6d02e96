import { and, eq, sql } from "drizzle-orm";
import { noticeLetter } from "@/lib/accounts/letters";
import { hashPassword, requirePassword } from "@/lib/accounts/password";
import { deadLink, endTokens, peekToken, useToken } from "@/lib/accounts/token";
import { arrive } from "@/lib/accounts/verify-email";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { sendMail } from "@/lib/mail/send";

interface NewPassword {
  token: string;
  password: string;
  /** The caller's network address, for the audit log. */
  address: string;
}

/**
 * Sets a new password with a link of `requestReset`, ends every session and every other link. The link also shows
 * that the mailbox is the person's own. A second factor stays on. Throws VALIDATION_ERROR, and NOT_FOUND for a dead link.
 */
export async function resetPassword(db: Db, input: NewPassword): Promise<void> {
  requirePassword(input.password);
  if (!(await peekToken(db, "reset", input.token))) deadLink();
  const passwordHash = await hashPassword(input.password);
  await db.transaction(async (tx) => {
    const { userId, email } = await useToken(tx, "reset", input.token);
    const [user] = await tx.orm
      .update(users)
      .set({ passwordHash, sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(and(eq(users.id, userId), eq(users.email, email)))
      .returning({ id: users.id, name: users.name, email: users.email });
    if (!user) return deadLink();
    await arrive(tx, user, input);
    await endTokens(tx, userId);
    await sendMail(tx, noticeLetter({ to: email, name: user.name }, "Your password was changed"));
  });
}
