import { eq } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { limits } from "@/lib/platform/limits/limits";
import { tryEmail } from "./email-address";
import { recordAccountEvent } from "./events";
import { PASSWORD_MAX, verifyPassword } from "./password";
import type { SessionClaims } from "./session";
import { type Caller, guesserOf, recordWrongAttempt, throttleAttempt } from "./throttle";
import type { User } from "./user";

export interface Credentials extends Caller {
  email: string;
  password: string;
}

/** The result of the first factor: a session, or a user who still has to enter a second factor. */
export type SignInResult = { signedIn: SessionClaims } | { needsCode: SessionClaims };

/**
 * Signs in with an email address and a password. A wrong address and a wrong password take the same work and get the
 * same UNAUTHORIZED. Throws RATE_LIMITED before hashing, and FORBIDDEN when the address is not yet verified.
 */
export async function signInWithPassword(db: Db, credentials: Credentials): Promise<SignInResult> {
  const { password, address } = credentials;
  const email = tryEmail(credentials.email);
  const [user] = email ? await db.orm.select().from(users).where(eq(users.email, email)) : [];
  const guesser = guesserOf(user, credentials);
  const decision = await limits().signIn(email ?? credentials.email.slice(0, 254), guesser);
  const attempt = { guessed: "password", user, guesser, decision } as const;
  await throttleAttempt(db, attempt);
  const right = await verifyPassword(user?.passwordHash ?? undefined, password.slice(0, PASSWORD_MAX + 1));
  if (!user || !right) {
    await recordWrongAttempt(db, attempt);
    return fail("UNAUTHORIZED", "The email address or the password is wrong");
  }
  await limits().signedIn(user.email, guesser);
  return afterFirstFactor(db, user, { by: "Password", address });
}

/**
 * Continues after a proof of ownership, by password, emailed link or OAuth. Throws FORBIDDEN for an unverified address.
 */
export async function afterFirstFactor(
  db: Db,
  user: User,
  { by, address }: { by: string; address: string },
): Promise<SignInResult> {
  const [confirmed, second] = [user.emailVerifiedAt !== null, user.totpEnabledAt !== null];
  const action = !confirmed ? "sign_in.unconfirmed" : second ? "sign_in.code_needed" : "sign_in.succeeded";
  await recordAccountEvent(db, { userId: user.id, action, detail: by, address });
  if (!confirmed) {
    const message =
      "Confirm your address first: open the link in our email, or sign up again to get a new link";
    fail("FORBIDDEN", message);
  }
  const claims = { id: user.id, sessionVersion: user.sessionVersion };
  return second ? { needsCode: claims } : { signedIn: claims };
}
