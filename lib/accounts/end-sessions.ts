import { eq, sql } from "drizzle-orm";
import type { SignedIn } from "@/lib/accounts/sign-in";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** Ends every session of a person at once; the answer is what a new one is made of. */
export async function endSessions(db: Db, userId: string): Promise<SignedIn> {
  const [ended] = await db.orm
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, userId))
    .returning({ id: users.id, sessionVersion: users.sessionVersion });
  return ended ?? fail("UNAUTHORIZED", "This account is gone");
}
