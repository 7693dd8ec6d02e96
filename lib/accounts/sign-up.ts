import { isNull } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { parsePersonName } from "@/lib/accounts/create-user";
import { parseEmail } from "@/lib/accounts/email";
import { requireEntry } from "@/lib/accounts/invited";
import { confirmLetter, knownLetter } from "@/lib/accounts/letters";
import { hashPassword, requirePassword } from "@/lib/accounts/password";
import { maySendTo } from "@/lib/accounts/throttle";
import { issueToken } from "@/lib/accounts/token";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { sendMail } from "@/lib/mail/send";

export interface SignUp {
  email: string;
  name: string;
  password: string;
  /** The caller's network address, for the limit. */
  address: string;
  /** The page to go on to when all is done, such as an invitation. */
  next?: string | undefined;
}

/**
 * Begins an account: the mail that is sent leads to `verifyEmail`, which ends it. Says nothing, after the same work,
 * of whether the address has an account; only the mail tells. Throws VALIDATION_ERROR, FORBIDDEN where sign-up is
 * closed, and RATE_LIMITED.
 */
export async function signUp(db: Db, input: SignUp): Promise<void> {
  const email = parseEmail(input.email);
  const name = parsePersonName(input.name);
  requirePassword(input.password);
  const { address, next } = input;
  await requireEntry(db, email, next);
  const sends = await maySendTo(email, address);
  const passwordHash = await hashPassword(input.password);
  if (!sends) return;
  await db.transaction(async (tx) => {
    const userId = await writeDown(tx, { email, name, passwordHash });
    // Made for a known address as well, where nobody gets to see it: the same work.
    const token = await issueToken(tx, "verify", { userId: userId ?? uuidv7(), email });
    const onward = next ? `?next=${encodeURIComponent(next)}` : "";
    const newcomer = confirmLetter(email, `/verify/${token}${onward}`);
    await sendMail(tx, userId ? newcomer : knownLetter(email));
  });
}

/**
 * An account that nobody has confirmed is nobody's: who signs up with its address again begins anew. Undefined for a
 * confirmed one, which stays as it is.
 */
async function writeDown(
  db: Db,
  newcomer: { email: string; name: string; passwordHash: string },
): Promise<string | undefined> {
  const { name, passwordHash } = newcomer;
  const [row] = await db.orm
    .insert(users)
    .values({ id: uuidv7(), ...newcomer })
    .onConflictDoUpdate({
      target: users.email,
      set: { name, passwordHash },
      setWhere: isNull(users.emailVerifiedAt),
    })
    .returning({ id: users.id });
  return row?.id;
}
