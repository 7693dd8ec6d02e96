import { and, eq, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { userIdentities, users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { parseEmail } from "@/lib/tenants/accounts/email-address";
import { noticeEmail, passwordResetEmail, unknownAddressEmail } from "@/lib/tenants/accounts/emails";
import { recordAccountEvent } from "@/lib/tenants/accounts/events";
import { hashPassword } from "@/lib/tenants/accounts/password";
import { requireGoodPassword } from "@/lib/tenants/accounts/password-strength";
import { deleteSessions } from "@/lib/tenants/accounts/session";
import { afterFirstFactor, type SignInResult } from "@/lib/tenants/accounts/sign-in";
import { type Caller, throttleEmail } from "@/lib/tenants/accounts/throttle";
import {
  consumeToken,
  createAccountToken,
  deleteTokens,
  findTokenHolder,
  refuseLink,
} from "@/lib/tenants/accounts/token";
import { factorInEffect } from "@/lib/tenants/accounts/update-password";
import { getUser, OAUTH_PROVIDER_NAMES } from "@/lib/tenants/accounts/user";
import { onwardQuery } from "@/lib/tenants/sign-up/admission";
import { confirmEmail } from "@/lib/tenants/sign-up/verify-email";

export interface NewPassword {
  token: string;
  password: string;
  /** The caller's network address, for the logs. */
  address: string;
}

/**
 * Stores a new password for a link of {@link requestPasswordReset}, ends every session and other link, and disconnects
 * GitHub and Google, which a thief may have connected. The link proves the mailbox, so it signs in, however many
 * strangers guess; a second factor is still required. Throws VALIDATION_ERROR, and NOT_FOUND for a dead link.
 */
export async function resetPassword(db: Db, input: NewPassword): Promise<SignInResult> {
  const holder = await findTokenHolder(db, "reset", input.token);
  if (!holder) return refuseLink();
  await requireGoodPassword(input.password, await getUser(db, holder.userId));
  const passwordHash = await hashPassword(input.password);
  return db.transaction(async (tx) => {
    const { userId, email } = await consumeToken(tx, "reset", input.token);
    const [user] = await tx.orm
      .update(users)
      .set({
        passwordHash,
        name: nameIfConfirmed(email),
        totpSecret: factorInEffect,
        sessionVersion: sql`${users.sessionVersion} + 1`,
      })
      .where(and(eq(users.id, userId), eq(users.email, email)))
      .returning();
    if (!user) return refuseLink();
    await confirmEmail(tx, user, input);
    await deleteTokens(tx, email);
    await deleteSessions(tx, userId);
    const { address } = input;
    const disconnected = await disconnectAll(tx, { userId, address });
    await sendEmail(tx, noticeEmail(user, "Your password was changed", disconnected));
    await recordAccountEvent(tx, { userId, action: "password.reset", address });
    const emailVerifiedAt = user.emailVerifiedAt ?? new Date();
    return afterFirstFactor(tx, { ...user, emailVerifiedAt }, { by: "Link by email", address });
  });
}

/** Disconnects every OAuth provider of an account, and returns their names. */
async function disconnectAll(db: Db, by: { userId: string; address: string }): Promise<string[]> {
  const own = eq(userIdentities.userId, by.userId);
  const removed = await db.orm.delete(userIdentities).where(own).returning();
  const names = removed.map(({ provider }) => OAUTH_PROVIDER_NAMES[provider]).sort();
  for (const detail of names) await recordAccountEvent(db, { ...by, action: "oauth.disconnected", detail });
  return names;
}

/** The stored name; for an unconfirmed account the mailbox's own, because a stranger may have typed the name. */
function nameIfConfirmed(email: string): SQL {
  const mailbox = email.slice(0, email.lastIndexOf("@"));
  return sql`case when ${users.emailVerifiedAt} is null then ${mailbox} else ${users.name} end`;
}

interface ResetRequest extends Caller {
  email: string;
  /** The page to continue at afterwards; the email names it if it is an invitation of this address. */
  next?: string | undefined;
}

/**
 * Emails a link to choose a new password. The result and the work are the same with and without an account; only the
 * email differs. Throws VALIDATION_ERROR for an invalid address, and RATE_LIMITED.
 */
export async function requestPasswordReset(db: Db, input: ResetRequest): Promise<void> {
  const email = parseEmail(input.email);
  const onward = await onwardQuery(db, email, input.next);
  await throttleEmail(email, input);
  await db.transaction(async (tx) => {
    const [user] = await tx.orm.select().from(users).where(eq(users.email, email));
    // Created for an unknown address too, although it is never sent, so that the work is the same.
    const token = await createAccountToken(tx, "reset", { userId: user?.id ?? uuidv7(), email });
    if (!token) return;
    const { address } = input;
    await recordAccountEvent(tx, { userId: user?.id, action: "password.reset_requested", address });
    const message = user ? passwordResetEmail(user, `/reset/${token}${onward}`) : unknownAddressEmail(email);
    await sendEmail(tx, message);
  });
}
