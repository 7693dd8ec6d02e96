import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import { invitations } from "@/lib/db/schema";
import { changeTeam, requireReach } from "@/lib/workspaces/lock";
import { invitationSubject, lockInvitation } from "./lock";
import type { invitationInput } from "./renew";

/** Makes an invitation's link worthless. NOT_FOUND for one accepted or withdrawn, FORBIDDEN as for inviting. */
export function withdrawInvitation(
  ctx: WorkspaceContext,
  { invitationId }: z.output<typeof invitationInput>,
): Promise<void> {
  return changeTeam(ctx, "admin", async (own) => {
    const found = await lockInvitation(own, invitationId);
    requireReach(own, found.role);
    await own.db.orm
      .update(invitations)
      .set({ withdrawnAt: new Date() })
      .where(and(eq(invitations.workspaceId, own.workspace.id), eq(invitations.id, found.id)));
    const before = { role: found.role };
    await recordAudit(own.db, own, { action: "invitation.withdrawn", ...invitationSubject(found), before });
  });
}
