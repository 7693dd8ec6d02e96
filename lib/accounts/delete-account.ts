import { and, asc, eq, ne } from "drizzle-orm";
import { provePassword, type User } from "@/lib/accounts/prove-password";
import { endTokens } from "@/lib/accounts/token";
import type { WorkspaceContext } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { memberships, recoveryCodes, userIdentities, users, workspaces } from "@/lib/db/schema";
import { AppError, fail } from "@/lib/errors";
import { takeCode } from "@/lib/two-factor/take-code";
import { deleteWorkspace } from "@/lib/workspaces/delete";
import { leaveWorkspace } from "@/lib/workspaces/remove-member";

export interface Deletion {
  /** The account's address, as typed. */
  confirm: string;
  password?: string | undefined;
  /** The second factor, where it is on. */
  code?: string | undefined;
  address: string;
}

/**
 * Deletes an account for good, with the workspaces in which nobody else is and that have no apps. Throws CONFLICT
 * where a workspace with apps or other people would be left without an owner, VALIDATION_ERROR, UNAUTHORIZED,
 * RATE_LIMITED.
 */
export async function deleteAccount(db: Db, userId: string, input: Deletion): Promise<void> {
  const user = await provePassword(db, userId, input.password, input.address);
  if (input.confirm.trim().toLowerCase() !== user.email) {
    fail("VALIDATION_ERROR", `Type ${user.email} to go on`, { field: "confirm" });
  }
  if (user.totpEnabledAt) await takeCode(db, user, input.code ?? "");
  await db.transaction(async (tx) => {
    // The account's row is what opening another workspace waits for.
    await tx.orm.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
    for (const ctx of await officesOf(tx, user, input.address)) await leave(ctx);
    await endTokens(tx, userId);
    for (const table of [recoveryCodes, userIdentities]) {
      await tx.orm.delete(table).where(eq(table.userId, userId));
    }
    await tx.orm.delete(users).where(eq(users.id, userId));
  });
}

/** The person's workspaces, in one order for everybody: each is locked when it is left. */
async function officesOf(db: Db, user: User, address: string): Promise<WorkspaceContext[]> {
  const rows = await db.orm
    .select({ workspace: workspaces, role: memberships.role })
    .from(memberships)
    .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
    .where(eq(memberships.userId, user.id))
    .orderBy(asc(workspaces.id));
  const actor = { kind: "user", id: user.id, name: user.name, address } as const;
  return rows.map(({ workspace, role }) => ({ workspace, role, actor, db }));
}

async function leave(ctx: WorkspaceContext): Promise<void> {
  const { name } = ctx.workspace;
  try {
    if (await isAlone(ctx)) await deleteWorkspace(ctx, { confirm: name });
    else await leaveWorkspace(ctx);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
    fail("CONFLICT", `You are the only owner of ${name}: make somebody else an owner, or delete it first`);
  }
}

async function isAlone({ db, workspace, actor }: WorkspaceContext): Promise<boolean> {
  const [other] = await db.orm
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), ne(memberships.userId, actor.id)))
    .limit(1);
  return other === undefined;
}
