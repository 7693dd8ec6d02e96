import { asc, eq } from "drizzle-orm";
import type { SignedIn } from "@/lib/accounts/sign-in";
import type { Plan } from "@/lib/contract/plan";
import type { Role } from "@/lib/contract/roles";
import { isUuid } from "@/lib/contract/uuid";
import type { Db } from "@/lib/db/client";
import { memberships, users, workspaces } from "@/lib/db/schema";

export interface Membership {
  id: string;
  name: string;
  plan: Plan;
  role: Role;
}

/** Who is signed in, and the workspaces this person belongs to. */
export interface Person {
  id: string;
  name: string;
  email: string;
  workspaces: Membership[];
}

/** The person of a session, or undefined where the account is gone or its sessions were ended since. */
export async function findPerson(db: Db, session: SignedIn): Promise<Person | undefined> {
  if (!isUuid(session.id)) return undefined;
  const [user] = await db.orm.select().from(users).where(eq(users.id, session.id));
  if (user?.sessionVersion !== session.sessionVersion) return undefined;
  const joined = await db.orm
    .select({
      id: workspaces.id,
      name: workspaces.name,
      plan: workspaces.plan,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
    .where(eq(memberships.userId, user.id))
    .orderBy(asc(workspaces.id));
  return { id: user.id, name: user.name, email: user.email, workspaces: joined };
}
