import { eq } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { recoveryCodes, users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { noticeEmail } from "@/lib/tenants/accounts/emails";
import { recordAccountEvent } from "@/lib/tenants/accounts/events";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { lockAccount, type User } from "@/lib/tenants/accounts/user";
import { replaceRecoveryCodes } from "./recovery";
import { verifySecondFactor } from "./verify";

/** Both factors, entered again. */
interface BothFactors extends Caller {
  password?: string | undefined;
  code: string;
}

async function requireBothFactors(db: Db, userId: string, input: BothFactors): Promise<User> {
  const user = await confirmPassword(db, userId, input.password, input);
  if (!user.totpEnabledAt) fail("CONFLICT", "Two-factor sign-in is not enabled");
  await verifySecondFactor(db, user, input.code, input);
  return user;
}

/** Disables two-factor sign-in, after checking both factors. Throws UNAUTHORIZED, RATE_LIMITED, CONFLICT. */
export async function disableTwoFactor(db: Db, userId: string, input: BothFactors): Promise<void> {
  const user = await requireBothFactors(db, userId, input);
  const disabled = { totpSecret: null, totpEnabledAt: null, totpLastStep: null };
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId, user);
    await tx.orm.update(users).set(disabled).where(eq(users.id, userId));
    await tx.orm.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    await sendEmail(tx, noticeEmail(user, "Two-factor sign-in was turned off"));
    await recordAccountEvent(tx, { userId, action: "two_factor.disabled", address: input.address });
  });
}

/** Replaces the recovery codes with ten new ones, after checking both factors. Throws like {@link disableTwoFactor}. */
export async function renewRecoveryCodes(
  db: Db,
  userId: string,
  input: BothFactors,
): Promise<{ recoveryCodes: string[] }> {
  const user = await requireBothFactors(db, userId, input);
  return db.transaction(async (tx) => {
    await lockAccount(tx, userId, user);
    await recordAccountEvent(tx, { userId, action: "recovery_code.renewed", address: input.address });
    return { recoveryCodes: await replaceRecoveryCodes(tx, userId) };
  });
}
