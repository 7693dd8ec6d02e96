import { isNull } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { parseEmail } from "@/lib/tenants/accounts/email-address";
import { alreadyRegisteredEmail, confirmationEmail } from "@/lib/tenants/accounts/emails";
import { hashPassword } from "@/lib/tenants/accounts/password";
import { requireGoodPassword } from "@/lib/tenants/accounts/password-strength";
import { type Caller, throttleEmail } from "@/lib/tenants/accounts/throttle";
import { createAccountToken } from "@/lib/tenants/accounts/token";
import { parseUserName } from "@/lib/tenants/accounts/user";
import { onwardQuery, requireSignUpAllowed } from "@/lib/tenants/sign-up/admission";

export interface SignUp extends Caller {
  email: string;
  name: string;
  password: string;
  /** The page to continue at afterwards; the email names it if it is an invitation of this address. */
  next?: string | undefined;
}

/**
 * Starts a sign-up, which the emailed link completes in `verifyEmail`. The result and the work are the same for a known
 * address; only the email differs. Throws VALIDATION_ERROR, FORBIDDEN while sign-up is closed, and RATE_LIMITED.
 */
export async function signUp(db: Db, input: SignUp): Promise<void> {
  const email = parseEmail(input.email);
  const name = parseUserName(input.name);
  await requireSignUpAllowed(db, email, input.next);
  const onward = await onwardQuery(db, email, input.next);
  await throttleEmail(email, input);
  await requireGoodPassword(input.password, { email, name });
  const passwordHash = await hashPassword(input.password);
  await db.transaction(async (tx) => {
    const userId = await insertUnverified(tx, { email, name, passwordHash });
    // Created for a known address too, although it is never sent, so that the work is the same.
    const token = await createAccountToken(tx, "verify", { userId: userId ?? uuidv7(), email });
    if (!token) return;
    const confirmation = confirmationEmail(email, `/verify/${token}${onward}`);
    await sendEmail(tx, userId ? confirmation : alreadyRegisteredEmail(email));
  });
}

/**
 * Inserts an unverified account, or overwrites one: until its address is verified, it belongs to no user. Returns
 * undefined for a verified account, which stays unchanged.
 */
async function insertUnverified(
  db: Db,
  user: { email: string; name: string; passwordHash: string },
): Promise<string | undefined> {
  const { name, passwordHash } = user;
  const [row] = await db.orm
    .insert(users)
    .values({ id: uuidv7(), ...user })
    .onConflictDoUpdate({
      target: users.email,
      set: { name, passwordHash },
      setWhere: isNull(users.emailVerifiedAt),
    })
    .returning({ id: users.id });
  return row?.id;
}
