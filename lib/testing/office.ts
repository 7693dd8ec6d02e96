import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { addMember } from "@/lib/accounts/add-member";
import type { WorkspaceContext } from "@/lib/context";
import type { Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { users, workspaces } from "@/lib/db/schema";
import { makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

/** Somebody with an account, straight into the table; the password would cost 20 ms. */
export async function makeAccount(name = "Ann"): Promise<{ id: string; email: string }> {
  const id = uuidv7();
  const email = `${id}@example.com`;
  await database().orm.insert(users).values({ id, email, name, emailVerifiedAt: new Date() });
  return { id, email };
}

/** A new person of a workspace, as the verbs about workspaces are called. */
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

/** A workspace with an app, and its owner. */
export async function makeOffice(
  options: TenantOptions = {},
): Promise<{ office: WorkspaceContext; tenant: Tenant }> {
  const tenant = await makeTenant({ codes: 0, ...options });
  return { tenant, office: await joinAs(tenant.ctx.workspace.id, "owner") };
}
