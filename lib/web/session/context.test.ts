import { uuidv7 } from "uuidv7";
import { expect, test, vi } from "vitest";
import type { Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { addMember } from "@/lib/tenants/workspaces/members";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { appContextFor } from "@/lib/web/session/context";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));

useService();

async function member(workspaceId: string, role: Role) {
  const account = { email: `${uuidv7()}@example.com`, name: "Ann", password: "correct horse" };
  const { id } = await createUser(database(), account);
  await addMember(database(), { workspaceId, userId: id, role });
  return { ...account, id, workspaces: [] };
}

test("a user acts in an app under their own name, without using its quota", async () => {
  const { ctx } = await makeTenant();
  const admin = await member(ctx.workspace.id, "admin");
  const context = await appContextFor(admin, ctx.app.id, "admin");
  expect(context.ctx).toMatchObject({
    app: ctx.app,
    workspace: ctx.workspace,
    actor: { kind: "user", id: admin.id },
  });
  expect(context.ctx.meter.state()).toEqual({ limit: 0, remaining: 0, reset: 0 });
  expect(await listKeys(context.ctx)).toHaveLength(1);
});

test("a role that is too low may read but not write", async () => {
  const { ctx } = await makeTenant();
  const viewer = await member(ctx.workspace.id, "viewer");
  await expect(appContextFor(viewer, ctx.app.id, "viewer")).resolves.toBeDefined();
  await expect(appContextFor(viewer, ctx.app.id, "admin")).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("another workspace's app is unknown, whatever the role in the own one", async () => {
  const { ctx } = await makeTenant();
  await member(ctx.workspace.id, "owner");
  const stranger = await member((await makeTenant()).ctx.workspace.id, "owner");
  await expect(appContextFor(stranger, ctx.app.id, "viewer")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
