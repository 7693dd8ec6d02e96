import { eq } from "drizzle-orm";
import { hasControl } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db/client";
import { userIdentities, users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { recordAccountEvent } from "./events";

export type User = typeof users.$inferSelect;

export type OAuthProvider = (typeof userIdentities.$inferSelect)["provider"];

export const OAUTH_PROVIDER_NAMES: Record<OAuthProvider, string> = { github: "GitHub", google: "Google" };

const GONE = "This account was deleted";

/** The stored row of a signed-in user. Throws UNAUTHORIZED when the account was deleted. */
export async function getUser(db: Db, userId: string): Promise<User> {
  const [user] = await db.orm.select().from(users).where(eq(users.id, userId));
  return user ?? fail("UNAUTHORIZED", GONE);
}

/**
 * Locks an account until the transaction ends, so that it is not deleted while it becomes a member of a workspace. To
 * be called before the workspace is locked, in the order of the deletion. Throws UNAUTHORIZED when it was deleted.
 */
export async function lockAccount(db: Db, userId: string): Promise<void> {
  const found = db.orm.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if ((await found.for("update")).length === 0) fail("UNAUTHORIZED", GONE);
}

/** A user's name: 1 to 100 characters on one line, or VALIDATION_ERROR. */
export function parseUserName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 100 && !hasControl(name) && name.isWellFormed()) return name;
  return fail("VALIDATION_ERROR", "name must have 1 to 100 characters", { field: "name" });
}

/** Updates a user's name; earlier entries of the audit log keep the old one. Throws VALIDATION_ERROR. */
export async function updateUserName(db: Db, userId: string, input: { name: string }): Promise<void> {
  const name = parseUserName(input.name);
  await db.orm.update(users).set({ name }).where(eq(users.id, userId));
}

/** Disconnects every OAuth provider of an account, and returns their names. */
export async function disconnectAll(
  db: Db,
  { userId, address }: { userId: string; address: string },
): Promise<string[]> {
  const removed = await db.orm
    .delete(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .returning({ provider: userIdentities.provider });
  const names = removed.map(({ provider }) => OAUTH_PROVIDER_NAMES[provider]).sort();
  for (const detail of names)
    await recordAccountEvent(db, { userId, action: "oauth.disconnected", detail, address });
  return names;
}
