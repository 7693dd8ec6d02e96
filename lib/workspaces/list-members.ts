import { asc, eq } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import type { TeamMember } from "@/lib/contract/team";
import { memberships, users } from "@/lib/db/schema";
import { TEAM_MAX } from "./lock";

/** Everybody in the workspace, in the order of joining. */
export async function listMembers(ctx: WorkspaceContext): Promise<TeamMember[]> {
  const rows = await ctx.db.orm
    .select({ user: users, role: memberships.role, joinedAt: memberships.createdAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.workspaceId, ctx.workspace.id))
    .orderBy(asc(memberships.createdAt), asc(users.id))
    .limit(TEAM_MAX);
  return rows.map(({ user: { id, name, email, totpEnabledAt }, ...membership }) => ({
    id,
    name,
    email,
    ...membership,
    twoFactor: totpEnabledAt !== null,
  }));
}
