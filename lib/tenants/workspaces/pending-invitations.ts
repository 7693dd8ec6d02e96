import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import { mayAct, ROLES, type Role } from "@/lib/contract/workspace";
import { invitations } from "@/lib/platform/db/schema";
import type { WorkspaceContext } from "@/lib/tenants/context";

/** Matches invitations of the workspace that were neither accepted nor withdrawn; they may have expired. */
export function isPending({ workspace }: Pick<WorkspaceContext, "workspace">): SQL | undefined {
  return and(
    eq(invitations.workspaceId, workspace.id),
    isNull(invitations.acceptedAt),
    isNull(invitations.withdrawnAt),
  );
}

/** The roles that a member of this role can assign: owners all, admins all except owner, others none. */
export function grantableRoles(role: Role | undefined): Role[] {
  if (role === undefined || !mayAct(role, "admin")) return [];
  return ROLES.filter((assigned) => assigned !== "owner" || role === "owner");
}

/**
 * Withdraws the member's pending invitations to roles that the new role cannot assign. Undefined for a removed
 * member: all of them. A member who lost a role cannot regain it through their own invitation.
 */
export async function withdrawExcessInvitations(
  ctx: WorkspaceContext,
  userId: string,
  role: Role | undefined,
): Promise<void> {
  const lost = ROLES.filter((assigned) => !grantableRoles(role).includes(assigned));
  if (lost.length === 0) return;
  await ctx.db.orm
    .update(invitations)
    .set({ withdrawnAt: new Date() })
    .where(and(isPending(ctx), eq(invitations.invitedBy, userId), inArray(invitations.role, lost)));
}
