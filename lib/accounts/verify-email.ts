import { and, eq, isNull } from "drizzle-orm";
import { openFirstWorkspace } from "@/lib/accounts/first-workspace";
import { isInvited } from "@/lib/accounts/invited";
import { findUser, provePassword, type User } from "@/lib/accounts/prove-password";
import type { SignedIn } from "@/lib/accounts/sign-in";
import { deadLink, peekToken, useToken } from "@/lib/accounts/token";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";

export interface Verification {
  token: string;
  /** The password that the account was begun with. */
  password: string;
  /** The caller's network address, for the limit and the audit log. */
  address: string;
  next?: string | undefined;
}

/**
 * Ends a sign-up: the account can sign in from now on, and has a workspace of its own unless it came by an invitation.
 * The link alone is not enough. Whoever typed a stranger's address would else be let in by the stranger's click.
 * Throws NOT_FOUND for a dead link, UNAUTHORIZED, RATE_LIMITED.
 */
export async function verifyEmail(db: Db, input: Verification): Promise<SignedIn> {
  const holder = await peekToken(db, "verify", input.token);
  if (!holder) return deadLink();
  const { passwordHash } = await provePassword(db, holder.userId, input.password, input.address);
  return db.transaction(async (tx) => {
    await useToken(tx, "verify", input.token);
    const user = await findUser(tx, holder.userId);
    // Begun anew since the password was looked at; or confirmed by another link, and by now it may owe a second factor.
    if (user.passwordHash !== passwordHash || user.emailVerifiedAt) return deadLink();
    await arrive(tx, user, input);
    return { id: user.id, sessionVersion: user.sessionVersion };
  });
}

/** Marks the address as the person's own; the first time the person has arrived, and gets a workspace. */
export async function arrive(
  db: Db,
  user: Pick<User, "id" | "name" | "email">,
  { address, next }: { address: string; next?: string | undefined },
): Promise<void> {
  const arrived = await db.orm
    .update(users)
    .set({ emailVerifiedAt: new Date() })
    .where(and(eq(users.id, user.id), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id });
  if (arrived.length === 0 || (await isInvited(db, user.email, next))) return;
  await openFirstWorkspace(db, { ...user, address });
}
