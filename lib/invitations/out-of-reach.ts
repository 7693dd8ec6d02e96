import { and, eq, inArray } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import { mayAct, ROLES, type Role } from "@/lib/contract/roles";
import { invitations } from "@/lib/db/schema";
import { pending } from "./pending";

/** The roles that somebody of this role gives away: an admin all but owner, those below none. */
export function rolesInReach(role: Role | undefined): Role[] {
  if (role === undefined || !mayAct(role, "admin")) return [];
  return ROLES.filter((given) => given !== "owner" || role === "owner");
}

/**
 * Withdraws what a person invited to and could no longer give, now that the role is this one or gone: nobody leaves a
 * door open behind.
 */
export async function withdrawOutOfReach(
  ctx: WorkspaceContext,
  userId: string,
  role: Role | undefined,
): Promise<void> {
  const lost = ROLES.filter((given) => !rolesInReach(role).includes(given));
  if (lost.length === 0) return;
  await ctx.db.orm
    .update(invitations)
    .set({ withdrawnAt: new Date() })
    .where(and(pending(ctx), eq(invitations.invitedBy, userId), inArray(invitations.role, lost)));
}
