import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { uuidField } from "@/lib/contract/fields";
import { ROLES, type Role } from "@/lib/contract/workspace";
import { memberships } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { withdrawExcessInvitations } from "@/lib/tenants/workspaces/pending-invitations";
import { requireMayManage, requireOwner, requireTypedName, withLockedTeam } from "./lock";
import { getMember, memberSubject } from "./members";

export const updateRoleInput = z.object({
  userId: uuidField("userId"),
  role: z.enum(ROLES, { error: `role must be one of ${ROLES.join(", ")}` }),
});

/** Stores a role without checks; to be called within {@link withLockedTeam}. */
async function storeRole(ctx: WorkspaceContext, userId: string, role: Role): Promise<void> {
  const { db, workspace } = ctx;
  await db.orm
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.userId, userId)));
}

/**
 * Assigns a member another role, effective from the next request. Throws FORBIDDEN when an admin changes or makes an
 * owner, CONFLICT when no owner would be left or another user has changed the role meanwhile, NOT_FOUND for a user who
 * is not a member.
 */
export function updateRole(
  ctx: WorkspaceContext,
  { userId, role }: z.output<typeof updateRoleInput>,
): Promise<void> {
  return withLockedTeam(ctx, "admin", async (own) => {
    const member = await getMember(own, userId);
    requireMayManage(own, member.role, role);
    await refuseUndoing(own, userId, { role: member.role }, { role });
    if (member.role === role) return;
    await storeRole(own, userId, role);
    await requireOwner(own);
    await withdrawExcessInvitations(own, userId, role);
    await recordAudit(own.db, own, {
      action: "member.role_changed",
      ...memberSubject(member),
      before: { role: member.role },
      after: { role },
    });
  });
}

export const transferInput = z.object({
  userId: uuidField("userId"),
  confirm: z.string({ error: "Type the name of the workspace" }),
});

/**
 * Makes a member the owner and the actor an admin, in one step. `confirm` is the workspace's name as typed. Throws
 * VALIDATION_ERROR, NOT_FOUND, and CONFLICT when the member is an owner.
 */
export function transferOwnership(
  ctx: WorkspaceContext,
  { userId, confirm }: z.output<typeof transferInput>,
): Promise<void> {
  return withLockedTeam(ctx, "owner", async (own) => {
    requireTypedName(own, confirm);
    const member = await getMember(own, userId);
    if (member.role === "owner") fail("CONFLICT", `${member.name} already owns the workspace`);
    await storeRole(own, userId, "owner");
    await storeRole(own, own.actor.id, "admin");
    await withdrawExcessInvitations(own, own.actor.id, "admin");
    await recordAudit(own.db, own, {
      action: "workspace.transferred",
      ...memberSubject(member),
      before: { owner: own.actor.name, role: member.role },
      after: { owner: member.name, role: "owner" },
    });
  });
}
