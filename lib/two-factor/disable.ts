import { eq } from "drizzle-orm";
import { noticeLetter } from "@/lib/accounts/letters";
import { provePassword, type User } from "@/lib/accounts/prove-password";
import type { Db } from "@/lib/db/client";
import { recoveryCodes, users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { sendMail } from "@/lib/mail/send";
import { replaceRecoveryCodes } from "./recovery";
import { takeCode } from "./take-code";

/** Both factors once more. */
interface BothFactors {
  password?: string | undefined;
  code: string;
  address: string;
}

async function prove(db: Db, userId: string, input: BothFactors): Promise<User> {
  const user = await provePassword(db, userId, input.password, input.address);
  if (!user.totpEnabledAt) fail("CONFLICT", "Two-factor sign-in is off already");
  await takeCode(db, user, input.code);
  return user;
}

/** Turns two-factor sign-in off for somebody who has both factors. Throws UNAUTHORIZED, RATE_LIMITED, CONFLICT. */
export async function disableTwoFactor(db: Db, userId: string, input: BothFactors): Promise<void> {
  const { email, name } = await prove(db, userId, input);
  const off = { totpSecret: null, totpEnabledAt: null, totpLastStep: null };
  await db.transaction(async (tx) => {
    await tx.orm.update(users).set(off).where(eq(users.id, userId));
    await tx.orm.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await sendMail(tx, noticeLetter({ to: email, name }, "Two-factor sign-in was turned off"));
  });
}

/** Ten new recovery codes in place of all before, for somebody who has both factors. */
export async function renewRecoveryCodes(
  db: Db,
  userId: string,
  input: BothFactors,
): Promise<{ recoveryCodes: string[] }> {
  await prove(db, userId, input);
  return { recoveryCodes: await db.transaction((tx) => replaceRecoveryCodes(tx, userId)) };
}
