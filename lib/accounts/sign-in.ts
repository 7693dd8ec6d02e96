import { eq } from "drizzle-orm";
import { tryEmail } from "@/lib/accounts/email";
import { PASSWORD_MAX, verifyPassword } from "@/lib/accounts/password";
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

/**
 * The account of an address and password. Throws UNAUTHORIZED with one text, after the same work, whether the account
 * or the password is wrong, and RATE_LIMITED before any password is looked at.
 */
export async function signIn(db: Db, credentials: Credentials): Promise<SignedIn> {
  const { password, address } = credentials;
  const email = tryEmail(credentials.email);
  const verdict = await limits().signIn(email ?? "", address);
  if (!verdict.allowed) tooMany(verdict.retryAfter);
  const user = email && password.length <= PASSWORD_MAX ? await findUser(db, email) : undefined;
  const right = await verifyPassword(user?.passwordHash ?? undefined, password.slice(0, PASSWORD_MAX));
  if (!user || !right) return fail("UNAUTHORIZED", "The e-mail address or the password is wrong");
  await limits().signedIn(user.email, address);
  return { id: user.id, sessionVersion: user.sessionVersion };
}

async function findUser(db: Db, email: string) {
  const [user] = await db.orm.select().from(users).where(eq(users.email, email));
  return user;
}

function tooMany(retryAfter: number): never {
  const minutes = Math.ceil(retryAfter / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return fail("RATE_LIMITED", `Too many attempts to sign in, try again in ${wait}`, { retryAfter });
}
