import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { createUser } from "@/lib/tenants/accounts/create-user";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { createKey } from "@/lib/tenants/api-keys/create";
import { revokeKey } from "@/lib/tenants/api-keys/lifecycle";
import { getUserApp } from "@/lib/tenants/apps/get";
import { listAppSummaries } from "@/lib/tenants/apps/list";
import { addMember } from "@/lib/tenants/workspaces/members";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

async function member(workspaceId: string, role: Role) {
  const email = `${uuidv7()}@example.com`;
  const { id } = await createUser(database(), { email, name: "Ann", password: "correct horse" });
  await addMember(database(), { workspaceId, userId: id, role });
  const user = await findSignedInUser(database(), { id, sessionVersion: 1 });
  if (!user) throw new Error("the account was not made");
  return user;
}

test("a user sees the apps of the own workspace, with the role in it", async () => {
  const { ctx } = await makeTenant({ plan: "basic" });
  const user = await member(ctx.workspace.id, "viewer");
  expect(user.workspaces).toEqual([{ id: ctx.workspace.id, name: "Test", plan: "basic", role: "viewer" }]);
  const found = await getUserApp(database(), user.id, ctx.app.id);
  expect(found).toMatchObject({ app: { id: ctx.app.id }, role: "viewer", workspace: { plan: "basic" } });
});

test("another workspace's app, an unknown one and no id at all are equally unknown", async () => {
  const { ctx } = await makeTenant();
  // The app exists and has a member; it is hidden only from other users.
  await member(ctx.workspace.id, "owner");
  const stranger = await member((await makeTenant()).ctx.workspace.id, "owner");
  for (const id of [ctx.app.id, uuidv7(), "' or true --", ""]) {
    await expect(getUserApp(database(), stranger.id, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("letting a user in again changes the role", async () => {
  const { ctx } = await makeTenant();
  const user = await member(ctx.workspace.id, "owner");
  await addMember(database(), { workspaceId: ctx.workspace.id, userId: user.id, role: "viewer" });
  expect(await getUserApp(database(), user.id, ctx.app.id)).toMatchObject({ role: "viewer" });
});

test("each role may do everything that lesser roles may", () => {
  const roles: Role[] = ["viewer", "support", "member", "admin", "owner"];
  const table = roles.map((role) => roles.map((needed) => mayAct(role, needed)));
  expect(table).toEqual([
    [true, false, false, false, false],
    [true, true, false, false, false],
    [true, true, true, false, false],
    [true, true, true, true, false],
    [true, true, true, true, true],
  ]);
});

test("the list of apps counts working keys and running campaigns", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Second" });
  await createKey(ctx, { name: "Third" });
  await revokeKey(ctx, { keyId: id });
  const [summary] = await listAppSummaries(database(), [ctx.workspace.id]);
  expect(summary).toMatchObject({ keys: 2, activeCampaigns: 1 });
  expect(await listAppSummaries(database(), [])).toEqual([]);
});
