import { and, eq, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { parseEmail } from "@/lib/tenants/accounts/email-address";
import { noticeEmail, passwordResetEmail, unknownAddressEmail } from "@/lib/tenants/accounts/emails";
import { hashPassword, requirePasswordLength } from "@/lib/tenants/accounts/password";
import { deleteSessions } from "@/lib/tenants/accounts/session";
import { maySendTo } from "@/lib/tenants/accounts/throttle";
import {
  consumeToken,
  createAccountToken,
  deleteTokens,
  findTokenHolder,
  refuseLink,
} from "@/lib/tenants/accounts/token";
import { confirmEmail } from "@/lib/tenants/sign-up/verify-email";

interface NewPassword {
  token: string;
  password: string;
  /** The caller's network address, for the audit log. */
  address: string;
}

/**
 * Stores a new password for a link of {@link requestPasswordReset} and ends every session and other link. The link
 * also proves the mailbox. A second factor stays enabled. Throws VALIDATION_ERROR, and NOT_FOUND for a dead link.
 */
export async function resetPassword(db: Db, input: NewPassword): Promise<void> {
  requirePasswordLength(input.password);
  if (!(await findTokenHolder(db, "reset", input.token))) refuseLink();
  const passwordHash = await hashPassword(input.password);
  await db.transaction(async (tx) => {
    const { userId, email } = await consumeToken(tx, "reset", input.token);
    const [user] = await tx.orm
      .update(users)
      .set({ passwordHash, name: nameIfConfirmed(email), sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(and(eq(users.id, userId), eq(users.email, email)))
      .returning();
    if (!user) return refuseLink();
    await confirmEmail(tx, user, input);
    await deleteTokens(tx, userId);
    await deleteSessions(tx, userId);
    await sendEmail(tx, noticeEmail(user, "Your password was changed"));
  });
}

/** The stored name; for an unconfirmed account the mailbox's own, because a stranger may have typed the name. */
function nameIfConfirmed(email: string): SQL {
  const mailbox = email.slice(0, email.lastIndexOf("@"));
  return sql`case when ${users.emailVerifiedAt} is null then ${mailbox} else ${users.name} end`;
}

/**
 * Emails a link to choose a new password. The result and the work are the same with and without an account; only the
 * email differs. Throws VALIDATION_ERROR for an invalid address, and RATE_LIMITED.
 */
export async function requestPasswordReset(db: Db, input: { email: string; address: string }): Promise<void> {
  const email = parseEmail(input.email);
  if (!(await maySendTo(email, input.address))) return;
  await db.transaction(async (tx) => {
    const [user] = await tx.orm.select().from(users).where(eq(users.email, email));
    // Created for an unknown address too, although it is never sent: the same work.
    const token = await createAccountToken(tx, "reset", { userId: user?.id ?? uuidv7(), email });
    const message = user ? passwordResetEmail(user, `/reset/${token}`) : unknownAddressEmail(email);
    await sendEmail(tx, message);
  });
}
