import { findUser } from "@/lib/accounts/prove-password";
import type { SignedIn } from "@/lib/accounts/sign-in";
import type { Db } from "@/lib/db/client";
import { fail } from "@/lib/errors";
import { takeCode } from "./take-code";

/**
 * The second step of signing in, for somebody whose first step came to `owesCode`. Throws UNAUTHORIZED for a wrong
 * code, and where every session was ended since the first step; RATE_LIMITED.
 */
export async function finishSignIn(db: Db, owes: SignedIn, code: string): Promise<SignedIn> {
  const user = await findUser(db, owes.id);
  if (user.sessionVersion !== owes.sessionVersion) fail("UNAUTHORIZED", "Begin to sign in again");
  // Turned off since: the first step is all there is to it.
  if (user.totpEnabledAt) await takeCode(db, user, code);
  return owes;
}
