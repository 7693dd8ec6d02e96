import { eq } from "drizzle-orm";
import { cleanName, isLine } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db/client";
import { type userIdentities, users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
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
 * Locks an account until the transaction ends, so that its changes and its deletion wait for one another. Call it
 * before a workspace is locked, which is the order of the deletion. Throws UNAUTHORIZED when it was deleted, or its
 * sessions ended since `seen` was read: a thief with the old password must not continue after a new one.
 */
export async function lockAccount(db: Db, id: string, seen?: Pick<User, "sessionVersion">): Promise<User> {
  const [user] = await db.orm.select().from(users).where(eq(users.id, id)).for("update");
  const ended = user && seen && user.sessionVersion !== seen.sessionVersion;
  return user && !ended ? user : fail("UNAUTHORIZED", ended ? "Your session has ended" : GONE);
}

/** A user's name: 1 to 100 characters on one line, or VALIDATION_ERROR. */
export function parseUserName(text: string): string {
  const name = cleanName(text);
  if (name !== "" && name.length <= 100 && isLine(name)) return name;
  return fail("VALIDATION_ERROR", "name must have 1 to 100 characters", { field: "name" });
}

type NewName = { name: string; address: string; seen?: string | undefined };

/**
 * Updates a user's name. Earlier audit entries keep the old one, and the security log has both: a name is all that most
 * readers see of a member. Throws VALIDATION_ERROR, CONFLICT if it is not the `seen` one.
 */
export async function updateUserName(db: Db, userId: string, input: NewName): Promise<void> {
  const { seen, address } = input;
  const name = parseUserName(input.name);
  await db.transaction(async (tx) => {
    const before = await lockAccount(tx, userId);
    await refuseUndoing({ db: tx, seen }, userId, { name: before.name }, { name });
    if (name === before.name) return;
    await tx.orm.update(users).set({ name }).where(eq(users.id, userId));
    const detail = `“${before.name}” to “${name}”`;
    await recordAccountEvent(tx, { userId, action: "account.renamed", detail, address });
  });
}
