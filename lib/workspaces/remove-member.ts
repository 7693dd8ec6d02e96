import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import { uuidField } from "@/lib/contract/uuid";
import { memberships } from "@/lib/db/schema";
import { withdrawOutOfReach } from "@/lib/invitations/out-of-reach";
import { findMember, type Member, memberSubject } from "./find-member";
import { changeTeam, requireOwner, requireReach } from "./lock";

export const removeMemberInput = z.object({ userId: uuidField("userId") });

/**
 * Takes somebody out of the workspace, from the next request on, with the invitations that this person made.
 * FORBIDDEN where an admin removes an owner, CONFLICT where no owner would be left, NOT_FOUND for a stranger.
 */
export function removeMember(
  ctx: WorkspaceContext,
  { userId }: z.output<typeof removeMemberInput>,
): Promise<void> {
  return changeTeam(ctx, "admin", async (own) => {
    const member = await findMember(own, userId);
    requireReach(own, member.role);
    await endMembership(own, member, "member.removed");
  });
}

/** Takes oneself out of the workspace. CONFLICT for its only owner. */
export function leaveWorkspace(ctx: WorkspaceContext): Promise<void> {
  return changeTeam(ctx, "viewer", async (own) =>
    endMembership(own, await findMember(own, own.actor.id), "member.left"),
  );
}

async function endMembership(ctx: WorkspaceContext, member: Member, action: string): Promise<void> {
  const { db, workspace } = ctx;
  await db.orm
    .delete(memberships)
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.userId, member.id)));
  await requireOwner(ctx);
  await withdrawOutOfReach(ctx, member.id, undefined);
  await recordAudit(db, ctx, { action, ...memberSubject(member), before: { role: member.role } });
}
