import { and, count, eq } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import { mayAct, type Role } from "@/lib/contract/roles";
import type { Db } from "@/lib/db/client";
import { memberships, workspaces } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

/** People of a workspace, invitations that wait included, so that one page holds the team. */
export const TEAM_MAX = 200;

/** Locks the workspace against every other change of its people, its name and its end. Throws NOT_FOUND. */
export async function lockWorkspace(
  db: Db,
  workspaceId: string,
  missing = "There is no such workspace",
): Promise<typeof workspaces.$inferSelect> {
  const [row] = await db.orm.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for("update");
  return row ?? fail("NOT_FOUND", missing);
}

/** Keeps the workspace from being deleted while something is put into it. Throws NOT_FOUND. */
export async function keepWorkspace(db: Db, workspaceId: string): Promise<void> {
  const found = db.orm.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId));
  if ((await found.for("share")).length === 0) fail("NOT_FOUND", "There is no such workspace");
}

/** The role of a person in a workspace, or undefined for nobody of it. */
export async function roleOf(db: Db, workspaceId: string, userId: string): Promise<Role | undefined> {
  const [row] = await db.orm
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId)));
  return row?.role;
}

/**
 * Runs a change of the workspace's people, one at a time. The role of who asks is read behind the lock: it may have
 * been taken away since the request began. Throws NOT_FOUND, and FORBIDDEN below the role `needed`.
 */
export function changeTeam<Result>(
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

/** Throws CONFLICT where the workspace has nobody left who owns it; call it behind the lock, after the change. */
export async function requireOwner({ db, workspace }: WorkspaceContext): Promise<void> {
  const [row] = await db.orm
    .select({ owners: count() })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.role, "owner")));
  if (!row?.owners) fail("CONFLICT", "A workspace needs an owner: make somebody else an owner first");
}

/** Throws FORBIDDEN where an admin would touch what only owners may: another owner, or that role itself. */
export function requireReach(ctx: WorkspaceContext, ...roles: Role[]): void {
  if (ctx.role !== "owner" && roles.includes("owner")) fail("FORBIDDEN", "Only an owner manages owners");
}
