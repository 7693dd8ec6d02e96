import { ROLES, type Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { addMember } from "@/lib/tenants/workspaces/members";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { makeAccount } from "@/lib/testing/workspace";
import type { Visitor } from "./visit";

type Session = NonNullable<Visitor["session"]>;

/** An account with a session, a member of the given workspace if there is one. */
export async function makeMember(workspaceId?: string, role: Role = "viewer"): Promise<Session> {
  const { id } = await makeAccount();
  if (workspaceId) await addMember(database(), { workspaceId, userId: id, role });
  return { id, sessionVersion: 1 };
}

/** A workspace with an app, and every kind of visitor. */
export interface Cast {
  tenant: Tenant;
  roles: Record<Role, Session>;
  /** The owner of another workspace with an app. */
  neighbour: Session;
  /** A former member with a valid session. */
  removed: Session;
  /** An owner whose session was ended. */
  stale: Session;
}

/** Creates a tenant with one member, of the given role. */
export async function makeTenantWith(role: Role): Promise<{ tenant: Tenant; member: Session }> {
  const tenant = await makeTenant({ codes: 2 });
  return { tenant, member: await makeMember(tenant.ctx.workspace.id, role) };
}

/** Creates a tenant with a member of each role, and the visitors without access. */
export async function makeCast(): Promise<Cast> {
  const [tenant, neighbours] = [await makeTenant({ codes: 2 }), await makeTenant({ codes: 2 })];
  const own = tenant.ctx.workspace.id;
  const roles = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await makeMember(own, role)] as const)),
  ) as Record<Role, Session>;
  const owner = await makeMember(own, "owner");
  return {
    tenant,
    roles,
    neighbour: await makeMember(neighbours.ctx.workspace.id, "owner"),
    removed: await makeMember(),
    stale: { ...owner, sessionVersion: owner.sessionVersion - 1 },
  };
}
