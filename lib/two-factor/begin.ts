import { and, eq, isNull } from "drizzle-orm";
import { provePassword } from "@/lib/accounts/prove-password";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { type QrCode, qrCode } from "./qr";
import { seal } from "./seal";
import { newSecret, setupOf } from "./totp";

/** What an authenticator is set up with: a picture for its camera, and the same as text. */
export interface TwoFactorSetup {
  qr: QrCode;
  secret: string;
}

/**
 * Makes the secret of a second factor, which counts once `enableTwoFactor` was given a password of it. The person
 * proves the password first: a borrowed session could else lock its owner out. Throws CONFLICT where it is on already.
 */
export async function beginTwoFactor(
  db: Db,
  userId: string,
  input: { password?: string | undefined; address: string },
): Promise<TwoFactorSetup> {
  const user = await provePassword(db, userId, input.password, input.address);
  const secret = newSecret();
  const stored = await db.orm
    .update(users)
    .set({ totpSecret: seal(secret, userId), totpLastStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpEnabledAt)));
  if (!stored.rowCount) fail("CONFLICT", "Two-factor sign-in is on already");
  const { uri, text } = setupOf(secret, user.email);
  return { qr: qrCode(uri), secret: text };
}
