import { addMember } from "@/lib/accounts/add-member";
import { ROLES, type Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { makeAccount } from "@/lib/testing/office";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import type { Visitor } from "./visit";

type Session = NonNullable<Visitor["session"]>;

/** Somebody with an account, in a workspace where one is given. */
async function makePerson(workspaceId?: string, role: Role = "viewer"): Promise<Session> {
  const { id } = await makeAccount();
  if (workspaceId) await addMember(database(), { workspaceId, userId: id, role });
  return { id, sessionVersion: 1 };
}

/** A workspace with an app, and everybody who may come to its doors. */
export interface Cast {
  tenant: Tenant;
  roles: Record<Role, Session>;
  /** Owns another workspace with an app of its own. */
  neighbour: Session;
  neighbours: Tenant;
  /** Was a member until now; the session goes on. */
  removed: Session;
  /** An owner who has signed out everywhere since. */
  stale: Session;
}

/** A tenant with somebody of each role, and everybody who may not come in. */
export async function makeCast(): Promise<Cast> {
  const [tenant, neighbours] = [await makeTenant({ codes: 2 }), await makeTenant({ codes: 2 })];
  const own = tenant.ctx.workspace.id;
  const roles = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await makePerson(own, role)] as const)),
  ) as Record<Role, Session>;
  const owner = await makePerson(own, "owner");
  return {
    tenant,
    roles,
    neighbour: await makePerson(neighbours.ctx.workspace.id, "owner"),
    neighbours,
    removed: await makePerson(),
    stale: { ...owner, sessionVersion: owner.sessionVersion - 1 },
  };
}
