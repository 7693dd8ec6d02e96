import { asc, eq } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import type { TeamMember } from "@/lib/contract/team";
import { memberships, users } from "@/lib/db/schema";
import { TEAM_MAX } from "./lock";

/** Everybody in the workspace, in the order of joining. */
export async function listMembers(ctx: WorkspaceContext): Promise<TeamMember[]> {
  const { id, name, email, totpEnabledAt } = users;
  const { role, createdAt: joinedAt } = memberships;
  const rows = await ctx.db.orm
    .select({ id, name, email, role, joinedAt, totpEnabledAt })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.workspaceId, ctx.workspace.id))
    .orderBy(asc(memberships.createdAt), asc(users.id))
    .limit(TEAM_MAX);
  return rows.map(({ totpEnabledAt: since, ...member }) => ({ ...member, twoFactor: since !== null }));
}
