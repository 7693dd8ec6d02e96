import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/platform/db/client";
import { invitations } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { hashToken } from "@/lib/platform/secrets/random-token";
import { lockAccount } from "@/lib/tenants/accounts/user";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { UserActor } from "@/lib/tenants/context";
import { lockWorkspace, roleOf } from "@/lib/tenants/workspaces/lock";
import { addMember } from "@/lib/tenants/workspaces/members";
import {
  invitationColumns,
  invitationState,
  invitationSubject,
  type WorkspaceInvitation,
} from "./invitation";

export const acceptInput = z.object({ token: z.string({ error: "token is required" }).max(100) });

/** The signed-in user who accepts, with the address of the account. */
interface Invitee {
  actor: UserActor;
  email: string;
}

const REFUSALS = {
  accepted: "This invitation was already used",
  withdrawn: "This invitation was withdrawn",
  expired: "This invitation has expired. Ask for a new one",
};

/**
 * Makes the user a member of the invitation's workspace, once; the same user may send it again. Throws NOT_FOUND,
 * CONFLICT for a used, withdrawn or expired invitation and for a member, FORBIDDEN when it was emailed to another address,
 * UNAUTHORIZED when the account was just deleted.
 */
export function acceptInvitation(
  db: Db,
  { actor, email }: Invitee,
  { token }: z.output<typeof acceptInput>,
): Promise<{ workspaceId: string }> {
  return db.transaction(async (tx) => {
    await lockAccount(tx, actor.id);
    const first = await readInvitation(tx, token);
    const { workspaceId } = first;
    const workspace = await lockWorkspace(tx, workspaceId);
    // Read again under the lock: the invitation may have been withdrawn or used in between.
    const invitation = await readInvitation(tx, token);
    const state = invitationState(invitation);
    const joined = await roleOf(tx, workspaceId, actor.id);
    // Sent again, because the first answer was lost.
    if (joined && invitation.acceptedBy === actor.id) return { workspaceId };
    if (state !== "open") fail("CONFLICT", REFUSALS[state]);
    if (invitation.email !== null && invitation.email !== email) {
      fail("FORBIDDEN", `This invitation is for ${invitation.email}. Sign in with that address`);
    }
    if (joined) fail("CONFLICT", `You are already a member of ${workspace.name}`);
    await addMember(tx, { workspaceId, userId: actor.id, role: invitation.role });
    await tx.orm
      .update(invitations)
      .set({ acceptedAt: new Date(), acceptedBy: actor.id })
      .where(and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, invitation.id)));
    await recordAudit(
      tx,
      { workspace, actor },
      {
        action: "invitation.accepted",
        ...invitationSubject(invitation),
        after: { role: invitation.role },
      },
    );
    return { workspaceId };
  });
}

async function readInvitation({ orm }: Db, token: string): Promise<WorkspaceInvitation> {
  const found = await orm
    .select(invitationColumns)
    .from(invitations)
    .where(eq(invitations.tokenHash, hashToken(token)));
  return found[0] ?? fail("NOT_FOUND", "There is no such invitation. Ask for a new link");
}
