import type { Role } from "@/lib/contract/roles";
import type { Db } from "@/lib/db/client";
import { memberships } from "@/lib/db/schema";

/** Lets a person into a workspace; for one who is in it already, the role becomes this one. */
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
