import { asc, eq } from "drizzle-orm";
import type { Elsewhere } from "@/lib/accounts/elsewhere";
import { findUser } from "@/lib/accounts/prove-password";
import type { Db } from "@/lib/db/client";
import { userIdentities } from "@/lib/db/schema";
import { countRecoveryCodes } from "@/lib/two-factor/recovery";

/** What the page of an account shows. */
export interface Account {
  name: string;
  email: string;
  hasPassword: boolean;
  /** When two-factor sign-in was turned on; null while it is off. */
  twoFactorSince: Date | null;
  recoveryCodesLeft: number;
  connected: { provider: Elsewhere; since: Date }[];
}

/** A person's own account. */
export async function getAccount(db: Db, userId: string): Promise<Account> {
  const user = await findUser(db, userId);
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
