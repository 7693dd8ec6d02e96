import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { users, workspaces } from "@/lib/platform/db/schema";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { addMember } from "@/lib/tenants/workspaces/members";
import { makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

/** A verified account without a password, inserted directly, because hashing would cost 20 ms. */
export async function makeAccount(name = "Ann"): Promise<{ id: string; email: string }> {
  const id = uuidv7();
  const email = `${id}@example.com`;
  await database().orm.insert(users).values({ id, email, name, emailVerifiedAt: new Date() });
  return { id, email };
}

/** The context of a new member of the workspace, for its verbs. */
export async function joinAs(workspaceId: string, role: Role, name = "Ann"): Promise<WorkspaceContext> {
  const { id } = await makeAccount(name);
  await addMember(database(), { workspaceId, userId: id, role });
  const [row] = await database().orm.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!row) throw new Error("there is no such workspace");
  const actor = { kind: "user", id, name, address: "192.0.2.7" } as const;
  return {
    workspace: { id: workspaceId, name: row.name, plan: row.plan },
    actor,
    role,
    db: database(),
  };
}

/** A workspace with an app, and the context of its owner. */
export async function makeWorkspace(
  options: TenantOptions = {},
): Promise<{ workspaceContext: WorkspaceContext; tenant: Tenant }> {
  const tenant = await makeTenant({ codes: 0, ...options });
  return { tenant, workspaceContext: await joinAs(tenant.ctx.workspace.id, "owner") };
}
