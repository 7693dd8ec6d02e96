import { desc, eq } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import type { PendingInvitation } from "@/lib/contract/team";
import { invitations, users } from "@/lib/db/schema";
import { TEAM_MAX } from "@/lib/workspaces/lock";
import { pending } from "./pending";

/** What waits to be accepted, the newest first. */
export async function listInvitations(ctx: WorkspaceContext): Promise<PendingInvitation[]> {
  const rows = await ctx.db.orm
    .select({ invitation: invitations, inviter: users.name })
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(pending(ctx))
    .orderBy(desc(invitations.id))
    .limit(TEAM_MAX);
  return rows.map(({ invitation: { id, email, role, createdAt, expiresAt }, inviter }) => ({
    id,
    email,
    role,
    invitedBy: inviter ?? "Somebody",
    createdAt,
    expiresAt,
    expired: expiresAt.getTime() <= Date.now(),
  }));
}
