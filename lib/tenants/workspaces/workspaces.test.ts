import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { SCOPES } from "@/lib/contract/api-key";
import { database } from "@/lib/platform/db/client";
import { apiKeys, apps, auditLog, invitations, memberships, workspaces } from "@/lib/platform/db/schema";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { createKey, insertKey } from "@/lib/tenants/api-keys/create";
import { createApp } from "@/lib/tenants/apps/create";
import { createInvitation } from "@/lib/tenants/invitations/create";
import { useService } from "@/lib/testing/service";
import { joinAs, makeAccount, makeWorkspace } from "@/lib/testing/workspace";
import { createWorkspace, OWNED_MAX } from "./create";
import { deleteWorkspace } from "./delete";
import { updateWorkspaceName } from "./update";

useService();

const nameOf = async (id: string) =>
  (await database().orm.select().from(workspaces).where(eq(workspaces.id, id)))[0]?.name;

async function makeActor() {
  const { id } = await makeAccount();
  return { kind: "user", id, name: "Ann", address: "192.0.2.7" } as const;
}

test("a new workspace belongs to its creator, on the operator's plan", async () => {
  const actor = await makeActor();
  const { id } = await createWorkspace(database(), actor, { name: "Side project" });
  const user = await findSignedInUser(database(), { id: actor.id, sessionVersion: 1 });
  expect(user?.workspaces).toEqual([{ id, name: "Side project", plan: "free", role: "owner" }]);
  const [entry] = await database().orm.select().from(auditLog).where(eq(auditLog.workspaceId, id));
  expect(entry).toMatchObject({ action: "workspace.created", actorId: actor.id });
});

test("a user owns at most ten, however many are created at once", async () => {
  const actor = await makeActor();
  const attempts = Array.from({ length: OWNED_MAX + 4 }, () =>
    createWorkspace(database(), actor, { name: "Another" }),
  );
  const made = (await Promise.allSettled(attempts)).filter(({ status }) => status === "fulfilled");
  expect(made).toHaveLength(OWNED_MAX);
  await expect(createWorkspace(database(), actor, { name: "x" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("a workspace holds a thousand apps, without the deleted ones, and an app two hundred keys", async () => {
  const { workspaceContext, tenant } = await makeWorkspace();
  const workspaceId = workspaceContext.workspace.id;
  const row = { workspaceId, name: "Filler" };
  const live = Array.from({ length: 998 }, () => ({ ...row, id: uuidv7() }));
  const deleted = { ...row, id: uuidv7(), deletedAt: new Date() };
  await database()
    .orm.insert(apps)
    .values([...live, deleted]);
  await createApp(workspaceContext, { name: "Last" });
  await expect(createApp(workspaceContext, { name: "Late" })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "A workspace can have at most 1,000 apps",
  });
  const scopes = [...SCOPES];
  for (let created = 1; created < 200; created++) await insertKey(tenant.ctx, "Filler", scopes);
  await expect(createKey(tenant.ctx, { name: "Late", scopes })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "An app can have at most 200 keys. Revoke one first",
  });
  await database().orm.delete(apps).where(eq(apps.name, "Filler"));
  await tenant.ctx.db.orm.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.name, "Filler"));
  expect(await createKey(tenant.ctx, { name: "Next", scopes })).toMatchObject({ scopes });
});

test("an admin gives it another name, a member does not", async () => {
  const { workspaceContext } = await makeWorkspace();
  const { id } = workspaceContext.workspace;
  await updateWorkspaceName(await joinAs(id, "admin"), { name: "Acme" });
  expect(await nameOf(id)).toBe("Acme");
  const member = updateWorkspaceName(await joinAs(id, "member"), { name: "Mine" });
  await expect(member).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await nameOf(id)).toBe("Acme");
});

test("only an owner deletes it, empty, by typing its name", async () => {
  const { workspaceContext, tenant } = await makeWorkspace();
  const { id } = workspaceContext.workspace;
  await createInvitation(workspaceContext, { role: "viewer" });
  const admin = deleteWorkspace(await joinAs(id, "admin"), { confirm: "Test" });
  await expect(admin).rejects.toMatchObject({ code: "FORBIDDEN" });
  const full = deleteWorkspace(workspaceContext, { confirm: "Test" });
  await expect(full).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("Fitness") });
  await database().orm.update(apps).set({ deletedAt: new Date() }).where(eq(apps.id, tenant.ctx.app.id));
  await expect(deleteWorkspace(workspaceContext, { confirm: "test" })).rejects.toMatchObject({
    field: "confirm",
  });
  expect(await nameOf(id)).toBe("Test");
  await deleteWorkspace(workspaceContext, { confirm: "Test" });
  expect(await nameOf(id)).toBeUndefined();
  const user = await findSignedInUser(database(), { id: workspaceContext.actor.id, sessionVersion: 1 });
  expect(user?.workspaces).toEqual([]);
  for (const table of [memberships, invitations]) {
    expect(await database().orm.select().from(table).where(eq(table.workspaceId, id))).toEqual([]);
  }
  const [entry] = await database()
    .orm.select()
    .from(auditLog)
    .where(eq(auditLog.action, "workspace.deleted"));
  expect(entry).toMatchObject({ workspaceId: id, subjectName: "Test" });
});

test("a name with spaces that no screen shows is typed as it is seen", async () => {
  const { id } = await createWorkspace(database(), await makeActor(), { name: "Two  spaces\u00a0here" });
  await deleteWorkspace(await joinAs(id, "owner"), { confirm: "Two spaces here" });
  expect(await nameOf(id)).toBeUndefined();
});

test("an app and the end of its workspace never meet", async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await createWorkspace(database(), await makeActor(), { name: "Empty" });
    const own = await joinAs(id, "owner");
    const [app, end] = await Promise.allSettled([
      createApp(own, { name: "Late" }),
      deleteWorkspace(own, { confirm: "Empty" }),
    ]);
    expect([app.status, end.status].sort()).toEqual(["fulfilled", "rejected"]);
    const left = await database().orm.select().from(apps).where(eq(apps.workspaceId, id));
    expect([left.length > 0, await nameOf(id)]).toEqual(
      app.status === "fulfilled" ? [true, "Empty"] : [false, undefined],
    );
  }
});
