import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findPerson } from "@/lib/accounts/find-person";
import { openApp } from "@/lib/apps/open";
import { database } from "@/lib/db/client";
import { apps, auditLog, invitations, memberships, workspaces } from "@/lib/db/schema";
import { createInvitation } from "@/lib/invitations/create";
import { joinAs, makeAccount, makeOffice } from "@/lib/testing/office";
import { useService } from "@/lib/testing/service";
import { deleteWorkspace } from "./delete";
import { OWNED_MAX, openWorkspace } from "./open";
import { renameWorkspace } from "./rename";

useService();

const nameOf = async (id: string) =>
  (await database().orm.select().from(workspaces).where(eq(workspaces.id, id)))[0]?.name;

async function makeActor() {
  const { id } = await makeAccount();
  return { kind: "user", id, name: "Ann", address: "192.0.2.7" } as const;
}

test("a new workspace belongs to who made it, on the operator's plan", async () => {
  const actor = await makeActor();
  const { id } = await openWorkspace(database(), actor, { name: "Side project" });
  const person = await findPerson(database(), { id: actor.id, sessionVersion: 1 });
  expect(person?.workspaces).toEqual([{ id, name: "Side project", plan: "free", role: "owner" }]);
  const [entry] = await database().orm.select().from(auditLog).where(eq(auditLog.workspaceId, id));
  expect(entry).toMatchObject({ action: "workspace.created", actorId: actor.id });
});

test("one person owns only so many, however many are asked for at once", async () => {
  const actor = await makeActor();
  const asked = Array.from({ length: OWNED_MAX + 4 }, () =>
    openWorkspace(database(), actor, { name: "Another" }),
  );
  const made = (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled");
  expect(made).toHaveLength(OWNED_MAX);
  await expect(openWorkspace(database(), actor, { name: "x" })).rejects.toMatchObject({ code: "CONFLICT" });
});

test("an admin gives it another name, a member does not", async () => {
  const { office } = await makeOffice();
  const { id } = office.workspace;
  await renameWorkspace(await joinAs(id, "admin"), { name: "Acme" });
  expect(await nameOf(id)).toBe("Acme");
  const member = renameWorkspace(await joinAs(id, "member"), { name: "Mine" });
  await expect(member).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await nameOf(id)).toBe("Acme");
});

test("only an owner deletes it, empty, by typing its name", async () => {
  const { office, tenant } = await makeOffice();
  const { id } = office.workspace;
  await createInvitation(office, { role: "viewer" });
  const admin = deleteWorkspace(await joinAs(id, "admin"), { confirm: "Test" });
  await expect(admin).rejects.toMatchObject({ code: "FORBIDDEN" });
  const full = deleteWorkspace(office, { confirm: "Test" });
  await expect(full).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("Fitness") });
  await database().orm.update(apps).set({ deletedAt: new Date() }).where(eq(apps.id, tenant.ctx.app.id));
  await expect(deleteWorkspace(office, { confirm: "test" })).rejects.toMatchObject({ field: "confirm" });
  expect(await nameOf(id)).toBe("Test");
  await deleteWorkspace(office, { confirm: "Test" });
  expect(await nameOf(id)).toBeUndefined();
  const person = await findPerson(database(), { id: office.actor.id, sessionVersion: 1 });
  expect(person?.workspaces).toEqual([]);
  for (const table of [memberships, invitations]) {
    expect(await database().orm.select().from(table).where(eq(table.workspaceId, id))).toEqual([]);
  }
  const [entry] = await database()
    .orm.select()
    .from(auditLog)
    .where(eq(auditLog.action, "workspace.deleted"));
  expect(entry).toMatchObject({ workspaceId: id, subjectName: "Test" });
});

test("an app and the end of its workspace never meet", async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await openWorkspace(database(), await makeActor(), { name: "Empty" });
    const own = await joinAs(id, "owner");
    const [app, end] = await Promise.allSettled([
      openApp(own, { name: "Late" }),
      deleteWorkspace(own, { confirm: "Empty" }),
    ]);
    expect([app.status, end.status].sort()).toEqual(["fulfilled", "rejected"]);
    const left = await database().orm.select().from(apps).where(eq(apps.workspaceId, id));
    expect([left.length > 0, await nameOf(id)]).toEqual(
      app.status === "fulfilled" ? [true, "Empty"] : [false, undefined],
    );
  }
});
