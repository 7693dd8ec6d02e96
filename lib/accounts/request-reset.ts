import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { parseEmail } from "@/lib/accounts/email";
import { resetLetter, unknownLetter } from "@/lib/accounts/letters";
import { maySendTo } from "@/lib/accounts/throttle";
import { issueToken } from "@/lib/accounts/token";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { sendMail } from "@/lib/mail/send";

/**
 * Mails the way to a new password. Says nothing, after the same work, of whether there is an account; only the mail
 * tells. Throws VALIDATION_ERROR for what is no address, and RATE_LIMITED.
 */
export async function requestReset(db: Db, input: { email: string; address: string }): Promise<void> {
  const email = parseEmail(input.email);
  if (!(await maySendTo(email, input.address))) return;
  await db.transaction(async (tx) => {
    const [user] = await tx.orm
      .select({ id: users.id, name: users.name })
      .from(users)
      .where(eq(users.email, email));
    // Made for an unknown address as well, where nobody gets to see it: the same work.
    const token = await issueToken(tx, "reset", { userId: user?.id ?? uuidv7(), email });
    const letter = user
      ? resetLetter({ to: email, name: user.name }, `/reset/${token}`)
      : unknownLetter(email);
    await sendMail(tx, letter);
  });
}
