import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { addMember } from "@/lib/accounts/add-member";
import { keepAccount } from "@/lib/accounts/keep-account";
import { recordAudit } from "@/lib/audit/record";
import type { UserActor } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { invitations } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { lockWorkspace, roleOf } from "@/lib/workspaces/lock";
import { type Invitation, invitationSubject } from "./lock";
import { stateOf } from "./look-up";
import { hashToken } from "./token";

export const acceptInput = z.object({ token: z.string({ error: "token is required" }).max(100) });

/** Who accepts: a signed-in person with the address of the account. */
interface Invitee {
  actor: UserActor;
  email: string;
}

const WORDS = {
  accepted: "This invitation was used already",
  withdrawn: "This invitation was withdrawn",
  expired: "This invitation has expired: ask for a new one",
};

/**
 * Lets a person into the workspace of an invitation, once. Throws NOT_FOUND for no invitation, CONFLICT for one used,
 * withdrawn or expired, or where the person is in the workspace already, FORBIDDEN where it was mailed to somebody
 * else, UNAUTHORIZED where the account has just gone.
 */
export function acceptInvitation(
  db: Db,
  { actor, email }: Invitee,
  { token }: z.output<typeof acceptInput>,
): Promise<{ workspaceId: string }> {
  return db.transaction(async (tx) => {
    await keepAccount(tx, actor.id);
    const first = await readInvitation(tx, token);
    const { workspaceId } = first;
    const workspace = await lockWorkspace(tx, workspaceId);
    // Read again: what was found before the lock may have been withdrawn or used by then.
    const invitation = await readInvitation(tx, token);
    const state = stateOf(invitation);
    if (state !== "open") fail("CONFLICT", WORDS[state]);
    if (invitation.email !== null && invitation.email !== email) {
      fail("FORBIDDEN", `This invitation is for ${invitation.email}: sign in with that address`);
    }
    if (await roleOf(tx, workspaceId, actor.id)) fail("CONFLICT", `You are in ${workspace.name} already`);
    await addMember(tx, { workspaceId, userId: actor.id, role: invitation.role });
    await tx.orm
      .update(invitations)
      .set({ acceptedAt: new Date(), acceptedBy: actor.id })
      .where(and(eq(invitations.workspaceId, workspaceId), eq(invitations.id, invitation.id)));
    const entry = { action: "invitation.accepted", ...invitationSubject(invitation) };
    await recordAudit(tx, { workspace, actor }, { ...entry, after: { role: invitation.role } });
    return { workspaceId };
  });
}

async function readInvitation({ orm }: Db, token: string): Promise<Invitation> {
  const found = await orm
    .select()
    .from(invitations)
    .where(eq(invitations.tokenHash, hashToken(token)));
  return found[0] ?? fail("NOT_FOUND", "There is no such invitation: ask for a new link");
}
