import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { addMember } from "@/lib/accounts/add-member";
import { createUser } from "@/lib/accounts/create-user";
import { findApp } from "@/lib/accounts/find-app";
import { findPerson } from "@/lib/accounts/find-person";
import { listAppSummaries } from "@/lib/accounts/list-apps";
import { createKey } from "@/lib/api-keys/create";
import { revokeKey } from "@/lib/api-keys/revoke";
import { mayAct, type Role } from "@/lib/contract/roles";
import { database } from "@/lib/db/client";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

async function member(workspaceId: string, role: Role) {
  const email = `${uuidv7()}@example.com`;
  const { id } = await createUser(database(), { email, name: "Ann", password: "correct horse" });
  await addMember(database(), { workspaceId, userId: id, role });
  const person = await findPerson(database(), { id, sessionVersion: 1 });
  if (!person) throw new Error("the account was not made");
  return person;
}

test("a person sees the apps of the own workspace, with the role in it", async () => {
  const { ctx } = await makeTenant({ plan: "basic" });
  const person = await member(ctx.workspace.id, "viewer");
  expect(person.workspaces).toEqual([{ id: ctx.workspace.id, name: "Test", plan: "basic", role: "viewer" }]);
  const found = await findApp(database(), person.id, ctx.app.id);
  expect(found).toMatchObject({ app: { id: ctx.app.id }, role: "viewer", workspace: { plan: "basic" } });
});

test("another workspace's app, an unknown one and no id at all are equally unknown", async () => {
  const { ctx } = await makeTenant();
  // Someone is a member there: only that it is somebody else hides the app.
  await member(ctx.workspace.id, "owner");
  const stranger = await member((await makeTenant()).ctx.workspace.id, "owner");
  for (const id of [ctx.app.id, uuidv7(), "' or true --", ""]) {
    await expect(findApp(database(), stranger.id, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("letting a person in again changes the role", async () => {
  const { ctx } = await makeTenant();
  const person = await member(ctx.workspace.id, "owner");
  await addMember(database(), { workspaceId: ctx.workspace.id, userId: person.id, role: "viewer" });
  expect(await findApp(database(), person.id, ctx.app.id)).toMatchObject({ role: "viewer" });
});

test("each role may do what the ones before it may", () => {
  const roles: Role[] = ["viewer", "member", "admin", "owner"];
  const table = roles.map((role) => roles.map((needed) => mayAct(role, needed)));
  expect(table).toEqual([
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, true],
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
