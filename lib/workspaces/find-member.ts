import { and, eq } from "drizzle-orm";
import type { WorkspaceContext } from "@/lib/context";
import type { Role } from "@/lib/contract/roles";
import { memberships, users } from "@/lib/db/schema";
import { fail } from "@/lib/errors";

export interface Member {
  id: string;
  name: string;
  role: Role;
}

/** One person of the workspace. Throws NOT_FOUND. */
export async function findMember(ctx: WorkspaceContext, userId: string): Promise<Member> {
  const [row] = await ctx.db.orm
    .select({ id: users.id, name: users.name, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, ctx.workspace.id), eq(memberships.userId, userId)));
  return row ?? fail("NOT_FOUND", "This person is not in the workspace");
}

/** A person as the audit log names its subject. */
export function memberSubject({ id, name }: Pick<Member, "id" | "name">) {
  return { subject: "member", subjectId: id, subjectName: name };
}
