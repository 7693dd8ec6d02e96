import { eq } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/**
 * Locks an account until the transaction ends, so that it is not deleted while a workspace is put into its hands. Call
 * it before the workspace is locked, as the deletion does. Throws UNAUTHORIZED where it is gone.
 */
export async function keepAccount(db: Db, userId: string): Promise<void> {
  const found = db.orm.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if ((await found.for("update")).length === 0) fail("UNAUTHORIZED", "This account is gone");
}
