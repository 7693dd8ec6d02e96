import { and, eq, ne } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { userIdentities, users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { noticeEmail } from "@/lib/tenants/accounts/emails";
import { recordAccountEvent } from "@/lib/tenants/accounts/events";
import type { SessionClaims } from "@/lib/tenants/accounts/session";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import {
  lockAccount,
  OAUTH_PROVIDER_NAMES,
  type OAuthProvider,
  type User,
} from "@/lib/tenants/accounts/user";

/** An account at an OAuth provider, verified by the provider. */
export interface OAuthIdentity {
  provider: OAuthProvider;
  providerAccountId: string;
}

/** The user whose account is connected with an identity. */
export async function findConnected(
  db: Db,
  { provider, providerAccountId }: OAuthIdentity,
): Promise<User | undefined> {
  const [row] = await db.orm
    .select({ user: users })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userId))
    .where(
      and(eq(userIdentities.provider, provider), eq(userIdentities.providerAccountId, providerAccountId)),
    );
  return row?.user;
}

/** Stores the connection and notifies the user by email. Throws CONFLICT when a parallel request was faster. */
export async function insertIdentity(
  db: Db,
  user: User,
  { provider, providerAccountId, address }: OAuthIdentity & { address: string },
): Promise<void> {
  const inserted = await db.orm
    .insert(userIdentities)
    .values({ provider, providerAccountId, userId: user.id })
    .onConflictDoNothing();
  if (!inserted.rowCount) fail("CONFLICT", "This account was connected just now. Sign in again");
  const detail = OAUTH_PROVIDER_NAMES[provider];
  await recordAccountEvent(db, { userId: user.id, action: "oauth.connected", detail, address });
  const notice = `Your account was connected with ${detail}`;
  await sendEmail(db, noticeEmail(user, notice));
}

/**
 * Connects an OAuth identity to the account of a session. The lock makes it wait for a reset of the password, which
 * ends the session: a connection that a thief has begun must not survive the reset. Throws CONFLICT when the identity
 * belongs to another account, UNAUTHORIZED.
 */
export async function connectOAuth(
  db: Db,
  { id, sessionVersion }: SessionClaims,
  identity: OAuthIdentity & { address: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockAccount(tx, id, { sessionVersion });
    const owner = await findConnected(tx, identity);
    if (owner?.id === id) return;
    if (owner) {
      const name = OAUTH_PROVIDER_NAMES[identity.provider];
      fail("CONFLICT", `This ${name} account is connected to another account here`);
    }
    await insertIdentity(tx, user, identity);
  });
}

interface Disconnection extends Caller {
  provider: OAuthProvider;
  password?: string | undefined;
}

/**
 * Disconnects an OAuth provider after {@link confirmPassword}: a stolen session must not be able to take a way to sign
 * in from the owner. Throws CONFLICT when it is the account's only one, UNAUTHORIZED, RATE_LIMITED.
 */
export async function disconnectOAuth(db: Db, userId: string, input: Disconnection): Promise<void> {
  await confirmPassword(db, userId, input.password, input);
  const { provider, address } = input;
  const detail = OAUTH_PROVIDER_NAMES[provider];
  await db.transaction(async (tx) => {
    // The row lock serialises the user's requests: two at once could otherwise remove the last two ways to sign in.
    const user = await lockAccount(tx, userId);
    const [other] = await tx.orm
      .select({ provider: userIdentities.provider })
      .from(userIdentities)
      .where(and(eq(userIdentities.userId, userId), ne(userIdentities.provider, provider)));
    if (!user.passwordHash && !other) {
      fail("CONFLICT", `${detail} is your only way to sign in. Set a password before you disconnect it`);
    }
    const deleted = await tx.orm
      .delete(userIdentities)
      .where(and(eq(userIdentities.userId, userId), eq(userIdentities.provider, provider)));
    if (!deleted.rowCount) return;
    await recordAccountEvent(tx, { userId, action: "oauth.disconnected", detail, address });
  });
}
