import { and, count, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { ROLES, type SentInvitation } from "@/lib/contract/workspace";
import { invitations, memberships, users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { generateToken } from "@/lib/platform/secrets/random-token";
import { parseEmail } from "@/lib/tenants/accounts/email-address";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { requireMayManage, TEAM_MAX, withLockedTeam } from "@/lib/tenants/workspaces/lock";
import { isPending } from "@/lib/tenants/workspaces/pending-invitations";
import { invitationSubject } from "./invitation";
import { INVITATION_END, sendInvitation } from "./send";

export const inviteInput = z.object({
  role: z.enum(ROLES, { error: `role must be one of ${ROLES.join(", ")}` }),
  /** Absent for a link that the inviter shares. */
  email: z.string().optional(),
});

/**
 * Invites to the workspace: by email, which only the owner of the address can accept, or by a link that anyone can use
 * once. The link is returned here only; an emailed one never. Throws RATE_LIMITED, FORBIDDEN when an admin invites an
 * owner, CONFLICT for a member or an address that is already invited.
 */
export async function createInvitation(
  ctx: WorkspaceContext,
  { role, email: typed }: z.output<typeof inviteInput>,
): Promise<SentInvitation> {
  const email = typed === undefined ? null : parseEmail(typed);
  return withLockedTeam(ctx, "admin", async (own) => {
    requireMayManage(own, role);
    await requireBelowMax(own);
    if (email !== null) await requireNotInvited(own, email);
    const { token, tokenHash } = generateToken();
    const row = { workspaceId: own.workspace.id, id: uuidv7(), tokenHash, email, role };
    await own.db.orm
      .insert(invitations)
      .values({ ...row, invitedBy: own.actor.id, expiresAt: INVITATION_END });
    await recordAudit(own.db, own, {
      action: "invitation.created",
      ...invitationSubject(row),
      after: { role, by: email === null ? "link" : "mail" },
    });
    return sendInvitation(own, row, token);
  });
}

/** Throws CONFLICT when members and pending invitations reach {@link TEAM_MAX}. */
async function requireBelowMax({ db, workspace }: WorkspaceContext): Promise<void> {
  const of = memberships.workspaceId;
  const [members] = await db.orm.select({ n: count() }).from(memberships).where(eq(of, workspace.id));
  const [open] = await db.orm.select({ n: count() }).from(invitations).where(isPending({ workspace }));
  if ((members?.n ?? 0) + (open?.n ?? 0) < TEAM_MAX) return;
  fail(
    "CONFLICT",
    `A workspace can have ${TEAM_MAX} members and invitations. Withdraw pending invitations first`,
  );
}

async function requireNotInvited({ db, workspace }: WorkspaceContext, email: string): Promise<void> {
  const [member] = await db.orm
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(and(eq(users.email, email), eq(memberships.workspaceId, workspace.id)));
  if (member) fail("CONFLICT", `${email} is already a member of the workspace`, { field: "email" });
  const [open] = await db.orm
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(isPending({ workspace }), eq(invitations.email, email)));
  if (open) fail("CONFLICT", `${email} is already invited. Send that invitation again`, { field: "email" });
}
