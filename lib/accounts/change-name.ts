import { eq } from "drizzle-orm";
import { parsePersonName } from "@/lib/accounts/create-user";
import type { Db } from "@/lib/db/client";
import { users } from "@/lib/db/schema";

/** Changes what a person is called; lines of the audit log keep the name of their time. Throws VALIDATION_ERROR. */
export async function changeName(db: Db, userId: string, input: { name: string }): Promise<void> {
  const name = parsePersonName(input.name);
  await db.orm.update(users).set({ name }).where(eq(users.id, userId));
}
