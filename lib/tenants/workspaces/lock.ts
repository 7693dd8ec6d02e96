import { and, count, eq } from "drizzle-orm";
import { isTyped } from "@/lib/contract/format";
import { mayAct, type Role } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { memberships, workspaces } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { WorkspaceContext } from "@/lib/tenants/context";

/** Maximum members and pending invitations of a workspace, so that the team fits on one page. */
export const TEAM_MAX = 200;

/** Locks the workspace against changes of its members and name, and against deletion. Throws NOT_FOUND. */
export async function lockWorkspace(
  db: Db,
  workspaceId: string,
  missing = "There is no such workspace",
): Promise<typeof workspaces.$inferSelect> {
  const [row] = await db.orm.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for("update");
  return row ?? fail("NOT_FOUND", missing);
}

/** Locks the workspace against deletion only, while something is created in it. Throws NOT_FOUND. */
export async function lockWorkspaceShared(db: Db, workspaceId: string): Promise<void> {
  const found = db.orm.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId));
  if ((await found.for("share")).length === 0) fail("NOT_FOUND", "There is no such workspace");
}

/** The role of a user in a workspace; undefined for a user who is not a member. */
export async function roleOf(db: Db, workspaceId: string, userId: string): Promise<Role | undefined> {
  const [row] = await db.orm
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId)));
  return row?.role;
}

/**
 * Runs a change of the team under the workspace's lock. The actor's role is read after locking, because it may have
 * changed since the request began. Throws NOT_FOUND, and FORBIDDEN below the role `needed`.
 */
export function withLockedTeam<Result>(
  ctx: WorkspaceContext,
  needed: Role,
  work: (own: WorkspaceContext) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction(async (db) => {
    const { id, name, plan } = await lockWorkspace(db, ctx.workspace.id);
    const role = await roleOf(db, id, ctx.actor.id);
    if (!role) return fail("NOT_FOUND", "There is no such workspace");
    if (!mayAct(role, needed)) fail("FORBIDDEN", `This needs the role ${needed} in the workspace`);
    return work({ ...ctx, db, role, workspace: { id, name, plan } });
  });
}

/** Throws CONFLICT when the workspace has no owner left. To be called under the lock, after the change. */
export async function requireOwner({ db, workspace }: WorkspaceContext): Promise<void> {
  const [row] = await db.orm
    .select({ owners: count() })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.role, "owner")));
  if (!row?.owners) fail("CONFLICT", "A workspace needs an owner. Make another member an owner first");
}

/** Throws FORBIDDEN when an admin would change an owner or assign the role of owner. */
export function requireMayManage(ctx: WorkspaceContext, ...roles: Role[]): void {
  if (ctx.role !== "owner" && roles.includes("owner")) fail("FORBIDDEN", "Only an owner can change owners");
}

/** Throws VALIDATION_ERROR unless the workspace's name was typed as it is displayed. */
export function requireTypedName({ workspace }: WorkspaceContext, typed: string): void {
  if (isTyped(workspace.name, typed)) return;
  fail("VALIDATION_ERROR", `Type ${workspace.name} to confirm`, { field: "confirm" });
}
