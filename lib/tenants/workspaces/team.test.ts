import { asc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { ROLES, type Role } from "@/lib/contract/workspace";
import { database } from "@/lib/platform/db/client";
import { auditLog, users } from "@/lib/platform/db/schema";
import { findSignedInUser } from "@/lib/tenants/accounts/session";
import { getUserApp } from "@/lib/tenants/apps/get";
import type { WorkspaceContext } from "@/lib/tenants/context";
import { createInvitation } from "@/lib/tenants/invitations/create";
import { listInvitations } from "@/lib/tenants/invitations/invitation";
import { useService } from "@/lib/testing/service";
import { joinAs, makeWorkspace } from "@/lib/testing/workspace";
import { addMember, listMembers } from "./members";
import { leaveWorkspace, removeMember } from "./remove-member";
import { transferOwnership, updateRole } from "./update-role";

useService();

const rolesOf = async (ctx: WorkspaceContext) =>
  Object.fromEntries((await listMembers(ctx)).map(({ id, role }) => [id, role]));

const actionsOf = async ({ workspace }: WorkspaceContext) => {
  const rows = database().orm.select().from(auditLog).where(eq(auditLog.workspaceId, workspace.id));
  return (await rows.orderBy(asc(auditLog.id))).map(({ action }) => action);
};

async function makeTeam() {
  const { workspaceContext: owner, tenant } = await makeWorkspace();
  const join = (role: Role) => joinAs(owner.workspace.id, role);
  const [admin, member] = [await join("admin"), await join("member")];
  return { owner, admin, member, join, tenant };
}

describe("the roles that manage each other", () => {
  const reach = ROLES.flatMap((from) => ROLES.map((to) => [from, to] as const));

  test.each(reach)("an owner makes a %s a %s, an admin only below owners", async (from, to) => {
    const { owner, admin, join } = await makeTeam();
    const [first, second] = [await join(from), await join(from)];
    await updateRole(owner, { userId: first.actor.id, role: to });
    expect((await rolesOf(owner))[first.actor.id]).toBe(to);
    const change = updateRole(admin, { userId: second.actor.id, role: to });
    if (from === "owner" || to === "owner") await expect(change).rejects.toMatchObject({ code: "FORBIDDEN" });
    else await change;
    expect((await rolesOf(owner))[second.actor.id]).toBe(from === "owner" || to === "owner" ? from : to);
  });

  test.each(ROLES)("an admin removes a %s, but never an owner", async (role) => {
    const { owner, admin, join } = await makeTeam();
    const target = await join(role);
    const change = removeMember(admin, { userId: target.actor.id });
    if (role === "owner") await expect(change).rejects.toMatchObject({ code: "FORBIDDEN" });
    else await change;
    expect(target.actor.id in (await rolesOf(owner))).toBe(role === "owner");
  });

  test("a role that was revoked since the page was opened no longer counts", async () => {
    const { owner, admin, member } = await makeTeam();
    await updateRole(owner, { userId: admin.actor.id, role: "viewer" });
    const change = updateRole(admin, { userId: member.actor.id, role: "admin" });
    await expect(change).rejects.toMatchObject({ code: "FORBIDDEN" });
    await removeMember(owner, { userId: admin.actor.id });
    await expect(removeMember(admin, { userId: member.actor.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("members of another workspace are unknown", async () => {
    const [here, there] = [await makeTeam(), await makeTeam()];
    const userId = there.member.actor.id;
    for (const ask of [
      () => updateRole(here.owner, { userId, role: "viewer" }),
      () => removeMember(here.owner, { userId }),
      () => transferOwnership(here.owner, { userId, confirm: "Test" }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect((await rolesOf(there.owner))[userId]).toBe("member");
  });
});

describe("a member of two workspaces", () => {
  test("keeps the role of the other one, which counts there only", async () => {
    const { owner } = await makeTeam();
    const { owner: host, admin } = await makeTeam();
    const userId = owner.actor.id;
    await addMember(database(), { workspaceId: host.workspace.id, userId, role: "member" });
    const guest = { ...owner, workspace: host.workspace };
    const change = updateRole(guest, { userId: admin.actor.id, role: "viewer" });
    await expect(change).rejects.toMatchObject({ code: "FORBIDDEN" });
    await updateRole(host, { userId, role: "viewer" });
    await removeMember(host, { userId });
    expect((await rolesOf(owner))[userId]).toBe("owner");
  });
});

describe("at least one owner stays", () => {
  const LAST = { code: "CONFLICT", message: expect.stringContaining("needs an owner") };

  test("when the only one leaves, is removed or steps down", async () => {
    const { owner } = await makeTeam();
    const userId = owner.actor.id;
    for (const ask of [
      () => leaveWorkspace(owner),
      () => removeMember(owner, { userId }),
      () => updateRole(owner, { userId, role: "admin" }),
    ]) {
      await expect(ask()).rejects.toMatchObject(LAST);
    }
    expect((await rolesOf(owner))[userId]).toBe("owner");
    expect(await actionsOf(owner)).toEqual([]);
  });

  test("when all of them go at once", async () => {
    const { owner, join } = await makeTeam();
    const owners = [owner, await join("owner"), await join("owner"), await join("owner")];
    const ways = [
      leaveWorkspace,
      (owner: WorkspaceContext) => updateRole(owner, { userId: owner.actor.id, role: "viewer" }),
    ];
    const went = await Promise.allSettled(owners.map((owner, index) => ways[index % 2]?.(owner)));
    expect(went.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(Object.values(await rolesOf(owner)).filter((role) => role === "owner")).toHaveLength(1);
  });

  test("when two owners remove each other", async () => {
    const { owner, join } = await makeTeam();
    const other = await join("owner");
    const went = await Promise.allSettled([
      removeMember(owner, { userId: other.actor.id }),
      removeMember(other, { userId: owner.actor.id }),
    ]);
    expect(went.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("ownership", () => {
  test("goes over in one step, for the name of the workspace", async () => {
    const { owner, admin } = await makeTeam();
    const userId = admin.actor.id;
    const wrong = transferOwnership(owner, { userId, confirm: "Tset" });
    await expect(wrong).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "confirm" });
    await transferOwnership(owner, { userId, confirm: " Test " });
    expect(await rolesOf(owner)).toMatchObject({ [userId]: "owner", [owner.actor.id]: "admin" });
    const again = transferOwnership(owner, { userId: owner.actor.id, confirm: "Test" });
    await expect(again).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await actionsOf(owner)).toEqual(["workspace.transferred"]);
  });

  test("is not regained through an invitation of the former owner", async () => {
    const { owner, admin } = await makeTeam();
    for (const role of ["owner", "admin"] as const) await createInvitation(owner, { role });
    await transferOwnership(owner, { userId: admin.actor.id, confirm: "Test" });
    expect((await listInvitations(admin)).map(({ role }) => role)).toEqual(["admin"]);
  });
});

describe("a removed member", () => {
  test("finds every app and the workspace closed at the next request, with the same session", async () => {
    const { owner, member, tenant } = await makeTeam();
    const session = { id: member.actor.id, sessionVersion: 1 };
    expect((await findSignedInUser(database(), session))?.workspaces).toHaveLength(1);
    await removeMember(owner, { userId: member.actor.id });
    expect((await findSignedInUser(database(), session))?.workspaces).toEqual([]);
    const app = getUserApp(database(), member.actor.id, tenant.ctx.app.id);
    await expect(app).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await actionsOf(owner)).toEqual(["member.removed"]);
  });

  test("leaves no pending invitation, nor one beyond the new role after a demotion", async () => {
    const { owner, admin, join } = await makeTeam();
    const second = await join("owner");
    await createInvitation(admin, { role: "viewer" });
    for (const role of ["owner", "admin"] as const) await createInvitation(second, { role });
    await createInvitation(owner, { role: "member" });
    const waiting = async () => (await listInvitations(owner)).map(({ role }) => role).sort();
    expect(await waiting()).toEqual(["admin", "member", "owner", "viewer"]);
    await updateRole(owner, { userId: second.actor.id, role: "admin" });
    expect(await waiting()).toEqual(["admin", "member", "viewer"]);
    await updateRole(owner, { userId: second.actor.id, role: "member" });
    await removeMember(owner, { userId: admin.actor.id });
    expect(await waiting()).toEqual(["member"]);
  });
});

test("the team shows who joined when and who has a second factor", async () => {
  const { owner, admin, member } = await makeTeam();
  await database().orm.update(users).set({ totpEnabledAt: new Date() }).where(eq(users.id, admin.actor.id));
  const team = await listMembers(owner);
  expect(team.map(({ id, twoFactor }) => [id, twoFactor])).toEqual([
    [owner.actor.id, false],
    [admin.actor.id, true],
    [member.actor.id, false],
  ]);
  expect(Object.keys(team[0] ?? {}).sort()).toEqual(["email", "id", "joinedAt", "name", "role", "twoFactor"]);
});
