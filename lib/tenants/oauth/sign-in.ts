import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { oneLine } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { tryEmail } from "@/lib/tenants/accounts/email-address";
import { afterFirstFactor, type SignInResult } from "@/lib/tenants/accounts/sign-in";
import { deleteTokens } from "@/lib/tenants/accounts/token";
import { OAUTH_PROVIDER_NAMES, type User } from "@/lib/tenants/accounts/user";
import { createFirstWorkspace, isInvited, requireSignUpAllowed } from "@/lib/tenants/sign-up/admission";
import { findConnected, insertIdentity, type OAuthIdentity } from "./connect";

interface OAuthProfile extends OAuthIdentity {
  name: string;
  /** The email address if the provider has verified it, else null. */
  email: string | null;
  /** The caller's network address, for the logs. */
  address: string;
  next?: string | undefined;
}

/**
 * Signs in the connected account; else connects the account with the same verified address; else creates one if
 * sign-up is allowed. A second factor is required in any case. Throws VALIDATION_ERROR without a verified address,
 * and FORBIDDEN while sign-up is closed.
 */
export async function signInWithOAuth(db: Db, profile: OAuthProfile): Promise<SignInResult> {
  return db.transaction(async (tx) => {
    const connected = await findConnected(tx, profile);
    const passed = { by: OAUTH_PROVIDER_NAMES[profile.provider], address: profile.address };
    if (connected) return afterFirstFactor(tx, connected, passed);
    const email = tryEmail(profile.email ?? "");
    if (!email) {
      return fail(
        "VALIDATION_ERROR",
        `${passed.by} has no verified email address for you. Sign in with your password instead`,
      );
    }
    const user = (await findVerified(tx, email)) ?? (await createAccount(tx, { ...profile, email }));
    await insertIdentity(tx, user, profile);
    return afterFirstFactor(tx, user, passed);
  });
}

/** The account with this address if the address is verified. An unverified account is deleted: it proves nothing. */
async function findVerified(db: Db, email: string): Promise<User | undefined> {
  const [user] = await db.orm.select().from(users).where(eq(users.email, email)).for("update");
  if (!user || user.emailVerifiedAt) return user;
  await db.orm.delete(users).where(eq(users.id, user.id));
  return undefined;
}

async function createAccount(db: Db, profile: OAuthProfile & { email: string }): Promise<User> {
  const { email, address, next } = profile;
  await requireSignUpAllowed(db, email, next);
  const name = [...oneLine(profile.name)].slice(0, 100).join("") || email;
  const [user] = await db.orm
    .insert(users)
    .values({ id: uuidv7(), email, name, emailVerifiedAt: new Date() })
    .onConflictDoNothing({ target: users.email })
    .returning();
  if (!user) return fail("CONFLICT", "You just signed up in another browser. Sign in again");
  await deleteTokens(db, email);
  if (!(await isInvited(db, email, next))) await createFirstWorkspace(db, { ...user, address });
  return user;
}
