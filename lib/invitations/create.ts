import { and, count, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { parseEmail } from "@/lib/accounts/email";
import { recordAudit } from "@/lib/audit/record";
import type { WorkspaceContext } from "@/lib/context";
import { ROLES } from "@/lib/contract/roles";
import type { Invited } from "@/lib/contract/team";
import { invitations, memberships, users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { changeTeam, requireReach, TEAM_MAX } from "@/lib/workspaces/lock";
import { pending } from "./pending";
import { send } from "./send";
import { invitationEnd, mintToken } from "./token";

export const inviteInput = z.object({
  role: z.enum(ROLES, { error: `role must be one of ${ROLES.join(", ")}` }),
  /** Absent for a link that is handed over in another way. */
  email: z.string().optional(),
});

/**
 * Invites somebody into the workspace: by mail, which only the owner of that address can accept, or by a link for
 * whoever has it. The link's text exists in this answer only, and not at all where it was mailed. RATE_LIMITED;
 * FORBIDDEN where an admin invites an owner; CONFLICT for somebody who is in the workspace or invited already.
 */
export async function createInvitation(
  ctx: WorkspaceContext,
  { role, email: written }: z.output<typeof inviteInput>,
): Promise<Invited> {
  const email = written === undefined ? null : parseEmail(written);
  return changeTeam(ctx, "admin", async (own) => {
    requireReach(own, role);
    await requirePlace(own);
    if (email !== null) await requireNew(own, email);
    const { token, tokenHash } = mintToken();
    const row = { workspaceId: own.workspace.id, id: uuidv7(), tokenHash, email, role };
    await own.db.orm
      .insert(invitations)
      .values({ ...row, invitedBy: own.actor.id, expiresAt: invitationEnd() });
    await recordAudit(own.db, own, {
      action: "invitation.created",
      subject: "invitation",
      subjectId: row.id,
      subjectName: email ?? "Link",
      after: { role, by: email === null ? "link" : "mail" },
    });
    return send(own, row, token);
  });
}

/** People and invitations together fit on one page. */
async function requirePlace({ db, workspace }: WorkspaceContext): Promise<void> {
  const of = memberships.workspaceId;
  const [people] = await db.orm.select({ n: count() }).from(memberships).where(eq(of, workspace.id));
  const [open] = await db.orm.select({ n: count() }).from(invitations).where(pending({ workspace }));
  if ((people?.n ?? 0) + (open?.n ?? 0) < TEAM_MAX) return;
  fail("CONFLICT", `A workspace has room for ${TEAM_MAX} people: withdraw invitations that nobody accepts`);
}

async function requireNew({ db, workspace }: WorkspaceContext, email: string): Promise<void> {
  const [member] = await db.orm
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(and(eq(users.email, email), eq(memberships.workspaceId, workspace.id)));
  if (member) fail("CONFLICT", `${email} is in the workspace already`, { field: "email" });
  const [open] = await db.orm
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(pending({ workspace }), eq(invitations.email, email)));
  if (open) fail("CONFLICT", `${email} is invited already: send that invitation again`, { field: "email" });
}
