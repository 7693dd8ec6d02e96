import { and, eq, isNull } from "drizzle-orm";
import { noticeLetter } from "@/lib/accounts/letters";
import { findUser } from "@/lib/accounts/prove-password";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { sendMail } from "@/lib/mail/send";
import { replaceRecoveryCodes } from "./recovery";
import { takeCode } from "./take-code";

/**
 * Turns two-factor sign-in on with the first password of the authenticator. Returns the recovery codes, which are
 * shown this once. Throws UNAUTHORIZED, RATE_LIMITED, and CONFLICT where it is on or was not begun.
 */
export async function enableTwoFactor(
  db: Db,
  userId: string,
  input: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const user = await findUser(db, userId);
  if (user.totpEnabledAt) fail("CONFLICT", "Two-factor sign-in is on already");
  if (!user.totpSecret) return fail("CONFLICT", "Begin again: no authenticator was set up");
  const secret = user.totpSecret;
  await takeCode(db, user, input.code);
  return db.transaction(async (tx) => {
    const enabled = await tx.orm
      .update(users)
      .set({ totpEnabledAt: new Date() })
      .where(and(eq(users.id, userId), isNull(users.totpEnabledAt), eq(users.totpSecret, secret)));
    if (!enabled.rowCount) fail("CONFLICT", "Begin again: another authenticator was set up meanwhile");
    const notice = noticeLetter({ to: user.email, name: user.name }, "Two-factor sign-in was turned on");
    await sendMail(tx, notice);
    return { recoveryCodes: await replaceRecoveryCodes(tx, userId) };
  });
}
