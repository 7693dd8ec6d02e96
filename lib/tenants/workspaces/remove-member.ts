import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { AuditAction } from "@/lib/contract/audit";
import { uuidField } from "@/lib/contract/fields";
import { memberships } from "@/lib/platform/db/schema";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { withdrawExcessInvitations } from "@/lib/tenants/workspaces/pending-invitations";
import { requireMayManage, requireOwner, withLockedTeam } from "./lock";
import { getMember, type Member, memberSubject } from "./members";

export const removeMemberInput = z.object({ userId: uuidField("userId") });

/**
 * Removes a member, effective from the next request, and withdraws the invitations that the member sent. Throws
 * FORBIDDEN when an admin removes an owner, CONFLICT when no owner would be left, NOT_FOUND.
 */
export function removeMember(
  ctx: WorkspaceContext,
  { userId }: z.output<typeof removeMemberInput>,
): Promise<void> {
  return withLockedTeam(ctx, "admin", async (own) => {
    const member = await getMember(own, userId);
    requireMayManage(own, member.role);
    await endMembership(own, member, "member.removed");
  });
}

/** Ends the actor's own membership. Throws CONFLICT for the only owner. */
export function leaveWorkspace(ctx: WorkspaceContext): Promise<void> {
  return withLockedTeam(ctx, "viewer", async (own) =>
    endMembership(own, await getMember(own, own.actor.id), "member.left"),
  );
}

async function endMembership(ctx: WorkspaceContext, member: Member, action: AuditAction): Promise<void> {
  const { db, workspace } = ctx;
  await db.orm
    .delete(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.userId, member.id)));
  await requireOwner(ctx);
  await withdrawExcessInvitations(ctx, member.id, undefined);
  await recordAudit(db, ctx, { action, ...memberSubject(member), before: { role: member.role } });
}
