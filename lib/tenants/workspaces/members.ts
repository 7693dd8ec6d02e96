import { and, asc, eq, inArray, isNotNull, type SQL } from "drizzle-orm";
import type { Role, TeamMember } from "@/lib/contract/workspace";
import type { Db } from "@/lib/platform/db/client";
import { memberships, users } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { TEAM_MAX } from "./lock";

/** Adds a user to a workspace; an existing member gets the role. */
export async function addMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: Role },
): Promise<void> {
  const { role } = member;
  await db.orm
    .insert(memberships)
    .values(member)
    .onConflictDoUpdate({ target: [memberships.workspaceId, memberships.userId], set: { role } });
}

export interface Member {
  id: string;
  name: string;
  role: Role;
}

/** A member of the workspace. Throws NOT_FOUND. */
export async function getMember(ctx: WorkspaceContext, userId: string): Promise<Member> {
  const [row] = await ctx.db.orm
    .select({ id: users.id, name: users.name, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, ctx.workspace.id), eq(memberships.userId, userId)));
  return row ?? fail("NOT_FOUND", "This user is not a member of the workspace");
}

/** A member as a subject of the audit log. */
export function memberSubject({ id, name }: Pick<Member, "id" | "name">) {
  return { subject: "member", subjectId: id, subjectName: name };
}

/** All members of the workspace, in the order of joining. */
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

type Place = Pick<Context, "db" | "workspace">;

async function confirmedAddresses({ db, workspace }: Place, which: SQL): Promise<string[]> {
  const rows = await db.orm
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, workspace.id), isNotNull(users.emailVerifiedAt), which));
  return rows.map(({ email }) => email);
}

/** The email addresses that problems of an app are sent to: verified ones of the workspace's owners and admins. */
export const alertRecipients = (ctx: Place): Promise<string[]> =>
  confirmedAddresses(ctx, inArray(memberships.role, ["owner", "admin"]));

/** Those of the addresses, in lower case, that members have confirmed: any other may be a stranger's mailbox. */
export async function memberAddresses(ctx: Place, addresses: readonly string[]): Promise<Set<string>> {
  const known = addresses.map((address) => address.toLowerCase());
  return new Set(await confirmedAddresses(ctx, inArray(users.email, known)));
}
