import { uuidv7 } from "uuidv7";
import { expect, test, vi } from "vitest";
import { addMember } from "@/lib/accounts/add-member";
import { createUser } from "@/lib/accounts/create-user";
import { listKeys } from "@/lib/api-keys/list";
import type { Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { roomOf } from "@/lib/session/context";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

vi.mock("next/headers", () => import("@/lib/testing/matrix/visit"));

useService();

async function person(workspaceId: string, role: Role) {
  const account = { email: `${uuidv7()}@example.com`, name: "Ann", password: "correct horse" };
  const { id } = await createUser(database(), account);
  await addMember(database(), { workspaceId, userId: id, role });
  return { ...account, id, workspaces: [] };
}

test("a person works in an app under the own name, without using the quota up", async () => {
  const { ctx } = await makeTenant();
  const admin = await person(ctx.workspace.id, "admin");
  const room = await roomOf(admin, ctx.app.id, "admin");
  expect(room.ctx).toMatchObject({
    app: ctx.app,
    workspace: ctx.workspace,
    actor: { kind: "user", id: admin.id },
  });
  expect(room.ctx.meter.state()).toEqual({ limit: 0, remaining: 0, reset: 0 });
  expect(await listKeys(room.ctx)).toHaveLength(1);
});

test("a role that is too low may look but not act", async () => {
  const { ctx } = await makeTenant();
  const viewer = await person(ctx.workspace.id, "viewer");
  await expect(roomOf(viewer, ctx.app.id, "viewer")).resolves.toBeDefined();
  await expect(roomOf(viewer, ctx.app.id, "admin")).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("another workspace's app is unknown, whatever the role at home", async () => {
  const { ctx } = await makeTenant();
  await person(ctx.workspace.id, "owner");
  const stranger = await person((await makeTenant()).ctx.workspace.id, "owner");
  await expect(roomOf(stranger, ctx.app.id, "viewer")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
