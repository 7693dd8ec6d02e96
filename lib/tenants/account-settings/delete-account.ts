import { and, asc, eq, ne } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import {
  accountEvents,
  invitations,
  memberships,
  recoveryCodes,
  sessions,
  userIdentities,
  users,
  workspaces,
} from "@/lib/platform/db/schema";
import { AppError, fail } from "@/lib/platform/errors";
import { confirmPassword } from "@/lib/tenants/accounts/confirm-password";
import type { Caller } from "@/lib/tenants/accounts/throttle";
import { deleteTokens } from "@/lib/tenants/accounts/token";
import { lockAccount, type User } from "@/lib/tenants/accounts/user";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { verifySecondFactor } from "@/lib/tenants/two-factor/verify";
import { deleteWorkspace } from "@/lib/tenants/workspaces/delete";
import { lockWorkspace } from "@/lib/tenants/workspaces/lock";
import { leaveWorkspace } from "@/lib/tenants/workspaces/remove-member";

interface AccountDeletion extends Caller {
  /** The account's email address, as typed. */
  confirm: string;
  password?: string | undefined;
  /** The second factor, if it is enabled. */
  code?: string | undefined;
}

/**
 * Deletes an account permanently, with its workspaces that have no other member and no apps. Throws CONFLICT when
 * another workspace would be left without an owner, VALIDATION_ERROR, UNAUTHORIZED, RATE_LIMITED.
 */
export async function deleteAccount(db: Db, userId: string, input: AccountDeletion): Promise<void> {
  const user = await confirmPassword(db, userId, input.password, input);
  if (input.confirm.trim().toLowerCase() !== user.email) {
    fail("VALIDATION_ERROR", `Type ${user.email} to confirm`, { field: "confirm" });
  }
  if (user.totpEnabledAt) await verifySecondFactor(db, user, input.code ?? "", input);
  await db.transaction(async (tx) => {
    // The creation of another workspace waits for this lock.
    await lockAccount(tx, userId, user);
    for (const ctx of await workspaceContextsOf(tx, user, input.address)) await leave(ctx);
    await deleteTokens(tx, user.email);
    for (const table of [recoveryCodes, userIdentities, sessions, accountEvents]) {
      await tx.orm.delete(table).where(eq(table.userId, userId));
    }
    await tx.orm.delete(invitations).where(eq(invitations.email, user.email));
    await tx.orm.delete(users).where(eq(users.id, userId));
  });
}

/** The user's workspaces, always in the order of ids: leaving locks each, so another order could deadlock. */
async function workspaceContextsOf(db: Db, user: User, address: string): Promise<WorkspaceContext[]> {
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
  const { id, name } = ctx.workspace;
  // Waits for an invitation that is being accepted, so that its new member is not left without the workspace.
  await lockWorkspace(ctx.db, id);
  try {
    if (await isOnlyMember(ctx)) await deleteWorkspace(ctx, { confirm: name });
    else await leaveWorkspace(ctx);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
    fail("CONFLICT", `You are the only owner of ${name}. Make another member an owner, or delete it first`);
  }
}

async function isOnlyMember({ db, workspace, actor }: WorkspaceContext): Promise<boolean> {
  const [other] = await db.orm
    .select({ id: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), ne(memberships.userId, actor.id)))
    .limit(1);
  return other === undefined;
}
