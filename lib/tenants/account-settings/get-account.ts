import { asc, eq } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { userIdentities } from "@/lib/platform/db/schema";
import { getUser, type OAuthProvider } from "@/lib/tenants/accounts/user";
import { countRecoveryCodes } from "@/lib/tenants/two-factor/recovery";

/** An account as its settings page shows it. */
export interface Account {
  name: string;
  email: string;
  hasPassword: boolean;
  /** When two-factor sign-in was enabled; null while it is disabled. */
  twoFactorSince: Date | null;
  recoveryCodesLeft: number;
  connected: { provider: OAuthProvider; since: Date }[];
}

/** The signed-in user's own account. Throws UNAUTHORIZED when it was deleted. */
export async function getAccount(db: Db, userId: string): Promise<Account> {
  const user = await getUser(db, userId);
  const connected = await db.orm
    .select({ provider: userIdentities.provider, since: userIdentities.createdAt })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .orderBy(asc(userIdentities.provider));
  return {
    name: user.name,
    email: user.email,
    hasPassword: user.passwordHash !== null,
    twoFactorSince: user.totpEnabledAt,
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    connected,
  };
}
