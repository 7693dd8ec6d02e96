import { and, eq, isNull, sql } from "drizzle-orm";
import { encode } from "uqr";
import type { Db } from "@/lib/platform/db/client";
import { users } from "@/lib/platform/db/schema";
import { sendEmail } from "@/lib/platform/email/send";
import { fail } from "@/lib/platform/errors";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import { noticeEmail } from "@/lib/tenants/accounts/emails";
import { recordAccountEvent } from "@/lib/tenants/accounts/events";
import { deleteSessions, type SessionClaims } from "@/lib/tenants/accounts/session";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { getUser } from "@/lib/tenants/accounts/user";
import { replaceRecoveryCodes } from "./recovery";
import { seal } from "./seal";
import { generateTotpSecret, setupOf } from "./totp";
import { verifySecondFactor } from "./verify";

/**
 * Enables two-factor sign-in with the first one-time password of the authenticator, and ends every session, also one that a
 * sign-in is about to start. Returns the recovery codes, which are shown only here, and the claims of a new session. Throws
 * UNAUTHORIZED, RATE_LIMITED, and CONFLICT when it is enabled or its setup was not started.
 */
export async function enableTwoFactor(
  db: Db,
  userId: string,
  input: Caller & { code: string },
): Promise<{ recoveryCodes: string[]; account: SessionClaims }> {
  const user = await getUser(db, userId);
  if (user.totpEnabledAt) fail("CONFLICT", "Two-factor sign-in is already enabled");
  if (!user.totpSecret) return fail("CONFLICT", "Set up an authenticator first");
  const secret = user.totpSecret;
  await verifySecondFactor(db, user, input.code, input);
  return db.transaction(async (tx) => {
    const [account] = await tx.orm
      .update(users)
      .set({ totpEnabledAt: new Date(), sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(and(eq(users.id, userId), isNull(users.totpEnabledAt), eq(users.totpSecret, secret)))
      .returning({ id: users.id, sessionVersion: users.sessionVersion });
    if (!account) return fail("CONFLICT", "Another authenticator was set up in the meantime. Start again");
    const notice = noticeEmail(user, "Two-factor sign-in was turned on");
    await sendEmail(tx, notice);
    await deleteSessions(tx, userId);
    await recordAccountEvent(tx, { userId, action: "two_factor.enabled", address: input.address });
    return { recoveryCodes: await replaceRecoveryCodes(tx, userId), account };
  });
}

/** The secret for an authenticator, as a QR code for its camera and as text to type. */
interface AuthenticatorSetup {
  qr: SvgQrCode;
  secret: string;
}

/**
 * Stores the secret of a second factor, which {@link enableTwoFactor} puts into effect. Requires the password: a
 * stolen session could otherwise lock out the account's owner. Throws CONFLICT when two-factor sign-in is enabled.
 */
export async function startTwoFactorSetup(
  db: Db,
  userId: string,
  input: Caller & { password?: string | undefined },
): Promise<AuthenticatorSetup> {
  const user = await confirmPassword(db, userId, input.password, input);
  const secret = generateTotpSecret();
  const stored = await db.orm
    .update(users)
    .set({ totpSecret: seal(secret, userId), totpLastStep: null })
    .where(and(eq(users.id, userId), isNull(users.totpEnabledAt)));
  if (!stored.rowCount) fail("CONFLICT", "Two-factor sign-in is already enabled");
  const { uri, text } = setupOf(secret, user.email);
  return { qr: qrCode(uri), secret: text };
}

/** A QR code as an SVG path of one unit per module, quiet zone included. */
interface SvgQrCode {
  size: number;
  path: string;
}

/** Draws a text as a QR code. */
function qrCode(text: string): SvgQrCode {
  const { data, size } = encode(text, { border: 2 });
  const runs = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  return { size, path: runs.join("") };
}
