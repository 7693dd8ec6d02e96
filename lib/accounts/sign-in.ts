import { eq } from "drizzle-orm";
import { tryEmail } from "@/lib/accounts/email";
import { PASSWORD_MAX, verifyPassword } from "@/lib/accounts/password";
import type { User } from "@/lib/accounts/prove-password";
import { throttle } from "@/lib/accounts/throttle";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { limits } from "@/lib/limits/limits";

export interface Credentials {
  email: string;
  password: string;
  /** The caller's address, for the limit of attempts. */
  address: string;
}

/** What a session is made of. */
export interface SignedIn {
  id: string;
  sessionVersion: number;
}

/** What the first step of signing in comes to: a session, or somebody who still owes the second factor. */
export type FirstStep = { signedIn: SignedIn } | { owesCode: SignedIn };

/**
 * The account of an address and password. Throws UNAUTHORIZED with one text, after the same work, whether the account
 * or the password is wrong, RATE_LIMITED before any password is looked at, and FORBIDDEN for the right password of an
 * account that was never confirmed.
 */
export async function signIn(db: Db, credentials: Credentials): Promise<FirstStep> {
  const { password, address } = credentials;
  const email = tryEmail(credentials.email);
  throttle(await limits().signIn(email ?? "", address));
  const user = email && password.length <= PASSWORD_MAX ? await findByEmail(db, email) : undefined;
  const right = await verifyPassword(user?.passwordHash ?? undefined, password.slice(0, PASSWORD_MAX));
  if (!user || !right) return fail("UNAUTHORIZED", "The e-mail address or the password is wrong");
  await limits().signedIn(user.email, address);
  return admit(user);
}

/** The step after somebody has shown to be the account's owner, by password or by an account elsewhere. */
export function admit(user: User): FirstStep {
  if (!user.emailVerifiedAt) {
    fail(
      "FORBIDDEN",
      "Confirm your address first: open the link in our mail, or sign up again for a new one",
    );
  }
  const account = { id: user.id, sessionVersion: user.sessionVersion };
  return user.totpEnabledAt ? { owesCode: account } : { signedIn: account };
}

async function findByEmail(db: Db, email: string): Promise<User | undefined> {
  const [user] = await db.orm.select().from(users).where(eq(users.email, email));
  return user;
}
