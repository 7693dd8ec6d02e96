import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { PendingInvitation, Role } from "@/lib/contract/workspace";
import { type Db, database } from "@/lib/platform/db/client";
import { invitations, users, workspaces } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { hashToken } from "@/lib/platform/secrets/random-token";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { TEAM_MAX } from "@/lib/tenants/workspaces/lock";
import { isPending } from "@/lib/tenants/workspaces/pending-invitations";

/** The columns of {@link WorkspaceInvitation}. */
export const invitationColumns = {
  ...getTableColumns(invitations),
  secondsLeft: sql<number>`extract(epoch from ${invitations.expiresAt} - now())::float8`,
};

/** An invitation to a workspace as it is stored, with the time until it expires, by the clock of the database. */
export type WorkspaceInvitation = typeof invitations.$inferSelect & { secondsLeft: number };

/** Stands in for an inviter whose account was deleted. */
const FORMER_MEMBER = "A former member";

/** The pending invitations of the workspace, newest first. */
export async function listInvitations(ctx: WorkspaceContext): Promise<PendingInvitation[]> {
  const rows = await ctx.db.orm
    .select({ invitation: invitationColumns, inviter: users.name })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(isPending(ctx))
    .orderBy(desc(invitations.id))
    .limit(TEAM_MAX);
  return rows.map(({ invitation: { id, email, role, createdAt, expiresAt, secondsLeft }, inviter }) => ({
    id,
    email,
    role,
    invitedBy: inviter ?? FORMER_MEMBER,
    createdAt,
    expiresAt,
    expired: secondsLeft <= 0,
  }));
}

/** Locks a pending invitation of the workspace. Throws NOT_FOUND. */
export async function lockInvitation(
  { db, workspace }: WorkspaceContext,
  id: string,
): Promise<WorkspaceInvitation> {
  const [row] = await db.orm
    .select(invitationColumns)
    .from(invitations)
    .where(and(isPending({ workspace }), eq(invitations.id, id)))
    .for("update");
  return row ?? fail("NOT_FOUND", "This invitation was already accepted or withdrawn");
}

/** An invitation as a subject of the audit log. */
export function invitationSubject({ id, email }: Pick<WorkspaceInvitation, "id" | "email">) {
  return { subject: "invitation", subjectId: id, subjectName: email ?? "Link" };
}

/** An invitation as its page shows it. */
interface InvitationSummary {
  workspace: { id: string; name: string };
  role: Role;
  invitedBy: string;
  email: string | null;
  state: "open" | "accepted" | "withdrawn" | "expired";
}

/** The invitation behind the secret of a link, in any state; undefined for an unknown secret. */
export async function findWorkspaceInvitation(
  token: string,
  db: Db = database(),
): Promise<InvitationSummary | undefined> {
  const [row] = await db.orm
    .select({ invitation: invitationColumns, workspace: workspaces, inviter: users.name })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.tokenHash, hashToken(token)));
  if (!row) return undefined;
  const { invitation, workspace, inviter } = row;
  return {
    workspace: { id: workspace.id, name: workspace.name },
    role: invitation.role,
    invitedBy: inviter ?? FORMER_MEMBER,
    email: invitation.email,
    state: invitationState(invitation),
  };
}

/** Whether an invitation can be accepted, and if not, why. */
export function invitationState({
  acceptedAt,
  withdrawnAt,
  secondsLeft,
}: WorkspaceInvitation): InvitationSummary["state"] {
  if (acceptedAt) return "accepted";
  if (withdrawnAt) return "withdrawn";
  return secondsLeft <= 0 ? "expired" : "open";
}
