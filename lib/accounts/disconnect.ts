import { and, eq, ne } from "drizzle-orm";
import { ELSEWHERE, type Elsewhere } from "@/lib/accounts/elsewhere";
import type { Db } from "@/lib/db/client";
import { userIdentities, users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** Signing in with that service ends. Throws CONFLICT where it is the only way in. */
export async function disconnect(db: Db, userId: string, provider: Elsewhere): Promise<void> {
  await db.transaction(async (tx) => {
    // The row is what another request of this person waits for: two could else take the last two ways away.
    const [user] = await tx.orm.select().from(users).where(eq(users.id, userId)).for("update");
    const [other] = await tx.orm
      .select({ provider: userIdentities.provider })
      .from(userIdentities)
      .where(and(eq(userIdentities.userId, userId), ne(userIdentities.provider, provider)));
    if (!user?.passwordHash && !other) {
      fail("CONFLICT", `${ELSEWHERE[provider]} is your only way to sign in: set a password first`);
    }
    await tx.orm
      .delete(userIdentities)
      .where(and(eq(userIdentities.userId, userId), eq(userIdentities.provider, provider)));
  });
}
