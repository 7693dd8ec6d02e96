import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { recordAccountEvent } from "@/lib/tenants/accounts/events";
import type { SessionClaims } from "@/lib/tenants/accounts/session";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { consumeToken, deleteTokens, findTokenHolder, refuseLink } from "@/lib/tenants/accounts/token";
import { getUser, lockAccount, type User } from "@/lib/tenants/accounts/user";
import { createFirstWorkspace, isInvited } from "@/lib/tenants/sign-up/admission";

export interface EmailVerification extends Caller {
  token: string;
  /** The password of the sign-up. */
  password: string;
  next?: string | undefined;
}

/**
 * Completes a sign-up: the account can sign in from now on and gets its first workspace, unless it was invited. The
 * link alone is not enough: a stranger's click must not let in a caller who entered the stranger's address. Throws
 * NOT_FOUND for a dead link, UNAUTHORIZED, RATE_LIMITED.
 */
export async function verifyEmail(db: Db, input: EmailVerification): Promise<SessionClaims> {
  const holder = await findTokenHolder(db, "verify", input.token);
  if (!holder) return refuseLink();
  const { passwordHash } = await confirmPassword(db, holder.userId, input.password, input);
  return db.transaction(async (tx) => {
    // The lock keeps another sign-up from replacing the password between the comparison and the confirmation.
    await lockAccount(tx, holder.userId);
    await consumeToken(tx, "verify", input.token);
    const user = await getUser(tx, holder.userId);
    // Another sign-up replaced the password meanwhile; or another link verified it, so a second factor may be needed.
    if (user.passwordHash !== passwordHash || user.emailVerifiedAt) return refuseLink();
    await confirmEmail(tx, user, input);
    await deleteTokens(tx, user.email);
    await recordAccountEvent(tx, { userId: user.id, action: "account.confirmed", address: input.address });
    return { id: user.id, sessionVersion: user.sessionVersion };
  });
}

/** Stores that the address is verified. The first time, a user without an invitation gets a workspace. */
export async function confirmEmail(
  db: Db,
  user: Pick<User, "id" | "name" | "email">,
  { address, next }: { address: string; next?: string | undefined },
): Promise<void> {
  const verified = await db.orm
    .update(users)
    .set({ emailVerifiedAt: new Date() })
    .where(and(eq(users.id, user.id), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id });
  if (verified.length === 0 || (await isInvited(db, user.email, next))) return;
  await createFirstWorkspace(db, { ...user, address });
}
