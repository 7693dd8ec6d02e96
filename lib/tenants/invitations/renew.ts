import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { uuidField } from "@/lib/contract/fields";
import type { SentInvitation } from "@/lib/contract/workspace";
import { invitations } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { generateToken } from "@/lib/platform/secrets/random-token";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { requireMayManage, withLockedTeam } from "@/lib/tenants/workspaces/lock";
import { invitationSubject, lockInvitation, type WorkspaceInvitation } from "./invitation";
import { INVITATION_END, INVITATION_S, sendInvitation } from "./send";

export const invitationInput = z.object({ invitationId: uuidField("invitationId") });

/** Seconds between two emails of one invitation. */
const PAUSE_S = 60;

/**
 * Replaces an invitation's link, which stops the old one, and extends it by a week. An emailed invitation is sent again,
 * at most once a minute. Throws NOT_FOUND, RATE_LIMITED, and FORBIDDEN when an admin renews the invitation of an owner.
 */
export function renewInvitation(
  ctx: WorkspaceContext,
  { invitationId }: z.output<typeof invitationInput>,
): Promise<SentInvitation> {
  return withLockedTeam(ctx, "admin", async (own) => {
    const invitation = await lockInvitation(own, invitationId);
    requireMayManage(own, invitation.role);
    if (invitation.email !== null) requirePause(invitation);
    const { token, tokenHash } = generateToken();
    await own.db.orm
      .update(invitations)
      .set({ tokenHash, expiresAt: INVITATION_END, invitedBy: own.actor.id })
      .where(and(eq(invitations.workspaceId, own.workspace.id), eq(invitations.id, invitation.id)));
    await recordAudit(own.db, own, { action: "invitation.renewed", ...invitationSubject(invitation) });
    return sendInvitation(own, invitation, token);
  });
}

function requirePause({ email, secondsLeft }: WorkspaceInvitation): void {
  const retryAfter = Math.ceil(secondsLeft + PAUSE_S - INVITATION_S);
  if (retryAfter <= 0) return;
  fail("RATE_LIMITED", `This invitation was sent to ${email} less than a minute ago`, { retryAfter });
}

/** Withdraws an invitation: its link stops working. Throws NOT_FOUND, and FORBIDDEN like {@link renewInvitation}. */
export function withdrawInvitation(
  ctx: WorkspaceContext,
  { invitationId }: z.output<typeof invitationInput>,
): Promise<void> {
  return withLockedTeam(ctx, "admin", async (own) => {
    const invitation = await lockInvitation(own, invitationId);
    requireMayManage(own, invitation.role);
    await own.db.orm
      .update(invitations)
      .set({ withdrawnAt: new Date() })
      .where(and(eq(invitations.workspaceId, own.workspace.id), eq(invitations.id, invitation.id)));
    await recordAudit(own.db, own, {
      action: "invitation.withdrawn",
      ...invitationSubject(invitation),
      before: { role: invitation.role },
    });
  });
}
