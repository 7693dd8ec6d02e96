import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import { ROLES, type Role } from "@/lib/contract/roles";
import { uuidField } from "@/lib/contract/uuid";
import { memberships } from "@/lib/db/schema";
import { withdrawOutOfReach } from "@/lib/invitations/out-of-reach";
import { findMember, memberSubject } from "./find-member";
import { changeTeam, requireOwner, requireReach } from "./lock";

export const changeRoleInput = z.object({
  userId: uuidField("userId"),
  role: z.enum(ROLES, { error: `role must be one of ${ROLES.join(", ")}` }),
});

/** Sets a role behind the lock of {@link changeTeam}, without asking who may. */
export async function setRole(ctx: WorkspaceContext, userId: string, role: Role): Promise<void> {
  const { db, workspace } = ctx;
  await db.orm
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.workspaceId, workspace.id), eq(memberships.userId, userId)));
}

/**
 * Gives somebody of the workspace another role, from the next request on. FORBIDDEN where an admin touches an owner or
 * makes one, CONFLICT where no owner would be left, NOT_FOUND for somebody who is not in the workspace.
 */
export function changeRole(
  ctx: WorkspaceContext,
  { userId, role }: z.output<typeof changeRoleInput>,
): Promise<void> {
  return changeTeam(ctx, "admin", async (own) => {
    const member = await findMember(own, userId);
    requireReach(own, member.role, role);
    if (member.role === role) return;
    await setRole(own, userId, role);
    await requireOwner(own);
    await withdrawOutOfReach(own, userId, role);
    await recordAudit(own.db, own, {
      action: "member.role_changed",
      ...memberSubject(member),
      before: { role: member.role },
      after: { role },
    });
  });
}
