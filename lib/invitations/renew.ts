import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import type { Invited } from "@/lib/contract/team";
import { uuidField } from "@/lib/contract/uuid";
import { invitations } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { changeTeam, requireReach } from "@/lib/workspaces/lock";
import { type Invitation, invitationSubject, lockInvitation } from "./lock";
import { send } from "./send";
import { invitationEnd, mintToken } from "./token";

export const invitationInput = z.object({ invitationId: uuidField("invitationId") });

/** A mail can be sent again this long after the last one. */
const PAUSE_MS = 60_000;

/**
 * Gives an invitation a new link and another week; the old link stops working. A mailed one is mailed again, at most
 * once a minute. Throws NOT_FOUND, FORBIDDEN for an admin and an owner's invitation, and RATE_LIMITED.
 */
export function renewInvitation(
  ctx: WorkspaceContext,
  { invitationId }: z.output<typeof invitationInput>,
): Promise<Invited> {
  return changeTeam(ctx, "admin", async (own) => {
    const found = await lockInvitation(own, invitationId);
    requireReach(own, found.role);
    if (found.email !== null) requirePause(found);
    const { token, tokenHash } = mintToken();
    await own.db.orm
      .update(invitations)
      .set({ tokenHash, expiresAt: invitationEnd(), invitedBy: own.actor.id })
      .where(and(eq(invitations.workspaceId, own.workspace.id), eq(invitations.id, found.id)));
    await recordAudit(own.db, own, { action: "invitation.renewed", ...invitationSubject(found) });
    return send(own, found, token);
  });
}

function requirePause({ email, expiresAt }: Invitation): void {
  const wait = expiresAt.getTime() + PAUSE_MS - invitationEnd().getTime();
  if (wait <= 0) return;
  const retryAfter = Math.ceil(wait / 1_000);
  fail("RATE_LIMITED", `It was mailed to ${email} less than a minute ago`, { retryAfter });
}
