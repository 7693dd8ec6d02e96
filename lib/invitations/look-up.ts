import { eq } from "drizzle-orm";
import type { Role } from "@/lib/contract/roles";
import { type Db, database } from "@/lib/db/client";
import { invitations, users, workspaces } from "@/lib/db/schema";
import type { Invitation } from "./lock";
import { hashToken } from "./token";

/** What the page of an invitation says of it. */
interface InvitationSummary {
  workspace: { id: string; name: string };
  role: Role;
  invitedBy: string;
  email: string | null;
  state: "open" | "accepted" | "withdrawn" | "expired";
}

/** The invitation that an address leads to, whatever became of it; undefined where the address is none. */
export async function lookUpInvitation(
  token: string,
  db: Db = database(),
): Promise<InvitationSummary | undefined> {
  const [row] = await db.orm
    .select({ invitation: invitations, workspace: workspaces, inviter: users.name })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(eq(invitations.tokenHash, hashToken(token)));
  if (!row) return undefined;
  const { invitation, workspace, inviter } = row;
  return {
    workspace: { id: workspace.id, name: workspace.name },
    role: invitation.role,
    invitedBy: inviter ?? "Somebody",
    email: invitation.email,
    state: stateOf(invitation),
  };
}

/** Whether an invitation can still be accepted, and why not. */
export function stateOf({ acceptedAt, withdrawnAt, expiresAt }: Invitation): InvitationSummary["state"] {
  if (acceptedAt) return "accepted";
  if (withdrawnAt) return "withdrawn";
  return expiresAt.getTime() <= Date.now() ? "expired" : "open";
}
