import { Secret, TOTP } from "otpauth";
import { database } from "@/lib/platform/db/client";
import { enableTwoFactor, startTwoFactorSetup } from "@/lib/tenants/two-factor/enable";
import { signedUpUser } from "@/lib/testing/accounts";

/** The password that an authenticator shows now. */
export const shownPassword = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() });

/** A user who enabled two-factor sign-in half a minute ago, so that the authenticator shows another password. */
export async function twoFactorUser(advance: (seconds: number) => void) {
  const user = await signedUpUser();
  const { id } = user.session;
  const { secret } = await startTwoFactorSetup(database(), id, user);
  const enabled = await enableTwoFactor(database(), id, { ...user, code: shownPassword(secret) });
  advance(30);
  const { recoveryCodes: codes, account } = enabled;
  const session = { ...user.session, ...account };
  return { ...user, session, id, secret, codes, shown: () => shownPassword(secret) };
}
