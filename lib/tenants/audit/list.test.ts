import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditFilters } from "@/lib/contract/audit";
import { database } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { apps, memberships } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import { updateEndUserNotes } from "@/lib/program/referrers/update";
import { createKey } from "@/lib/tenants/api-keys/create";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import type { Context, WorkspaceContext } from "@/lib/tenants/context";
import { removeMember } from "@/lib/tenants/workspaces/remove-member";
import { updateWorkspaceName } from "@/lib/tenants/workspaces/update";
import { updateRole } from "@/lib/tenants/workspaces/update-role";
import { useService } from "@/lib/testing/service";
import { joinAs, makeWorkspace } from "@/lib/testing/workspace";
import { diff } from "./diff";
import { exportAudit } from "./export";
import { auditOfSubject, listAudit } from "./list";
import { recordAudit } from "./record";

useService();

const find = async (ctx: WorkspaceContext, search: Record<string, string>) =>
  (await listAudit(ctx, auditFilters.parse(search))).data.map(({ action }) => action);

async function makeHistory() {
  const { workspaceContext, tenant } = await makeWorkspace();
  const bob = await joinAs(workspaceContext.workspace.id, "viewer", "Bob 100%");
  await createKey({ ...tenant.ctx, actor: workspaceContext.actor }, { name: "Phone" });
  await updateRole(workspaceContext, { userId: bob.actor.id, role: "admin" });
  await updateWorkspaceName(bob, { name: "Acme" });
  return { workspaceContext, bob, tenant };
}

describe("the audit log", () => {
  test("shows actor, action, subject, address and changes, newest first", async () => {
    const { workspaceContext, bob, tenant } = await makeHistory();
    const { data, nextCursor } = await listAudit(workspaceContext, {});
    expect(nextCursor).toBeNull();
    expect(data).toMatchObject([
      {
        action: "workspace.renamed",
        actor: "Bob 100%",
        address: "192.0.2.7",
        app: null,
        changes: [{ field: "name", before: "Test", after: "Acme" }],
      },
      {
        action: "member.role_changed",
        subject: { kind: "member", id: bob.actor.id, name: "Bob 100%" },
        changes: [{ field: "role", before: "viewer", after: "admin" }],
      },
      { action: "api_key.created", app: { id: tenant.ctx.app.id, name: "Fitness" } },
    ]);
  });

  test("tells which member made a change, whatever name the member had chosen for it", async () => {
    const { workspaceContext, bob } = await makeHistory();
    const { id } = bob.actor;
    const email = `${id}@example.com`;
    await updateWorkspaceName({ ...bob, actor: { ...bob.actor, name: "Ann" } }, { name: "Bob's" });
    const byBob = { q: id, noun: "workspace" } as const;
    expect((await listAudit(workspaceContext, byBob)).data).toMatchObject([
      { actor: "Ann", member: { id, email } },
      { actor: "Bob 100%", member: { id, email } },
    ]);
    const rows: unknown[] = [];
    for await (const row of await exportAudit(workspaceContext, byBob)) rows.push(row);
    expect(rows).toContainEqual(expect.objectContaining({ actor: "Ann", actor_id: id, actor_email: email }));
    // A user who has left the team is not named as a member, even if in the team of another workspace.
    const { workspace } = (await makeWorkspace()).workspaceContext;
    await database()
      .orm.insert(memberships)
      .values({ workspaceId: workspace.id, userId: id, role: "viewer" });
    await removeMember(workspaceContext, { userId: id });
    expect((await listAudit(workspaceContext, byBob)).data).toContainEqual(
      expect.objectContaining({ actor: "Ann", member: { id, email: null } }),
    );
  });

  test.each([
    [{ q: "bob" }, ["workspace.renamed", "member.role_changed"]],
    [{ q: "100%" }, ["workspace.renamed", "member.role_changed"]],
    [{ q: "1_0%" }, []],
    [{ q: "phone" }, ["api_key.created"]],
    [{ q: "renamed" }, ["workspace.renamed"]],
    [{ noun: "member" }, ["member.role_changed"]],
    [{ noun: "campaign" }, []],
    [{ from: "2020-01-01", to: "2020-01-02" }, []],
    [
      { from: "2100-01-01", to: "2020-01-01" },
      ["workspace.renamed", "member.role_changed", "api_key.created"],
    ],
    [{ from: "2020-01-01" }, ["workspace.renamed", "member.role_changed", "api_key.created"]],
    [
      { noun: "x", app: "no", from: "31", cursor: "'" },
      ["workspace.renamed", "member.role_changed", "api_key.created"],
    ],
  ])("is searched by %j", async (search, expected) => {
    const { workspaceContext } = await makeHistory();
    expect(await find(workspaceContext, search as Record<string, string>)).toEqual(expected);
  });

  test("of an app contains the changes in that app only", async () => {
    const { workspaceContext, tenant } = await makeHistory();
    expect(await find(workspaceContext, { app: tenant.ctx.app.id })).toEqual(["api_key.created"]);
  });

  test("tells which entries are about a sandbox or about an app that is deleted, which keeps its name for the grace", async () => {
    const { workspaceContext, tenant } = await makeHistory();
    const { id } = tenant.ctx.app;
    const appOf = async () => (await listAudit(workspaceContext, { noun: "api_key" })).data[0]?.app;
    const app = { id, name: "Fitness", exists: true, sandbox: false };
    expect(await appOf()).toEqual(app);
    const change = (values: Partial<typeof apps.$inferInsert>) =>
      database().orm.update(apps).set(values).where(eq(apps.id, id));
    await change({ sandbox: true, deletedAt: new Date() });
    expect(await appOf()).toEqual({ ...app, exists: false, sandbox: true });
    await database().orm.delete(apps).where(eq(apps.id, id));
    expect(await appOf()).toEqual({ ...app, name: "A deleted app", exists: false });
  });

  test("of a day holds that day, in UTC, to its last millisecond", async () => {
    const { workspaceContext } = await makeWorkspace();
    for (const [time, name] of [
      ["2026-06-10T23:59:59.999Z", "before"],
      ["2026-06-11T00:00:00.000Z", "first"],
      ["2026-06-11T23:59:59.999Z", "last"],
      ["2026-06-12T00:00:00.000Z", "after"],
    ] as const) {
      await database().orm.execute(sql`insert into audit_log
        (workspace_id, id, actor_kind, actor_name, action, subject, subject_id) values
        (${workspaceContext.workspace.id}, ${firstIdAt(new Date(time))}, 'system', 'x', ${`app.${name}`}, 'app', 'x')`);
    }
    expect(await find(workspaceContext, { from: "2026-06-11", to: "2026-06-11" })).toEqual([
      "app.last",
      "app.first",
    ]);
  });

  test("of another workspace is closed", async () => {
    await makeHistory();
    expect(await find((await makeWorkspace()).workspaceContext, {})).toEqual([]);
  });
});

describe("a long one", () => {
  const ROWS = SCAN_ROWS + 1_500;

  async function makeLong() {
    const { workspaceContext } = await makeWorkspace();
    await database().orm.execute(sql`insert into audit_log
      (workspace_id, id, actor_kind, actor_name, action, subject, subject_id, created_at)
      select ${workspaceContext.workspace.id}, (${"01900000-0000-7000-8000-"} || lpad(to_hex(n), 12, '0'))::uuid,
        'system', 'Metacode', case when n = 1 then 'pool.rare' else 'app.changed' end, 'app', n::text, now()
        from generate_series(1, ${ROWS}) n`);
    return workspaceContext;
  }

  test("is walked a page at a time, and a rare entry is found by looking on", async () => {
    const workspaceContext = await makeLong();
    const first = await listAudit(workspaceContext, {});
    const second = await listAudit(workspaceContext, { cursor: first.nextCursor ?? "" });
    expect([first.data[0]?.subject.id, second.data[0]?.subject.id]).toEqual([
      String(ROWS),
      String(ROWS - 50),
    ]);
    const rare = await listAudit(workspaceContext, { noun: "pool" });
    expect(rare.data).toEqual([]);
    const older = await listAudit(workspaceContext, { noun: "pool", cursor: rare.nextCursor ?? "" });
    expect(older).toMatchObject({ data: [{ action: "pool.rare" }], nextCursor: null });
  });

  test("is exported whole, each entry once, after the entry of the export", async () => {
    const workspaceContext = await makeLong();
    const seen = new Set<unknown>();
    for await (const row of await exportAudit(workspaceContext, {})) seen.add(row.subject_id);
    expect([...seen][0]).toBe(workspaceContext.workspace.id);
    expect(seen.size).toBe(ROWS + 1);
    const rare: unknown[] = [];
    for await (const row of await exportAudit(workspaceContext, { noun: "pool" })) rare.push(row.subject_id);
    expect(rare).toEqual(["1"]);
  });
});

describe("the change", () => {
  test("is listed field by field, as text", () => {
    const before = { name: "A", same: 1, list: ["a", "b"], gone: false, deep: { a: 1 } };
    const after = { name: "B", same: 1, list: ["a"], fresh: 0, deep: { a: 1 } };
    expect(diff(before, after)).toEqual([
      { field: "name", before: "A", after: "B" },
      { field: "list", before: "a, b", after: "a" },
      { field: "gone", before: "false", after: null },
      { field: "fresh", before: null, after: "0" },
    ]);
    expect(diff(null, null)).toEqual([]);
  });
});

test("an entry commits with its change, or not at all", async () => {
  const { workspaceContext } = await makeWorkspace();
  const broken = workspaceContext.db.transaction(async (db) => {
    await recordAudit(db, workspaceContext, { action: "app.changed", subject: "app", subjectId: "1" });
    throw new Error("the change failed");
  });
  await expect(broken).rejects.toThrow("the change failed");
  expect(await find(workspaceContext, {})).toEqual([]);
});

test("a conflict and a timeline name the changes of the same app, though users of two apps have the same ID", async () => {
  const { workspaceContext, tenant } = await makeWorkspace();
  const noting = async (ctx: Context, name: string) => {
    const { actor } = await joinAs(workspaceContext.workspace.id, "admin", name);
    await updateEndUserNotes({ ...ctx, actor }, { uid: "eve", notes: `Seen by ${name}` });
  };
  await noting(tenant.ctx, "Ada");
  const twin = await insertApp(tenant.ctx.db, workspaceContext.workspace.id, { name: "Twin", sandbox: true });
  const inTwin = systemContext(tenant.ctx.db, twin);
  await noting(inTwin, "Bob");
  for (const [ctx, name] of [
    [tenant.ctx, "Ada"],
    [inTwin, "Bob"],
  ] as const)
    expect((await auditOfSubject(ctx, "eve")).data).toMatchObject([{ actor: name }]);
  const late = { ...tenant.ctx, seen: JSON.stringify({ notes: null }) };
  await expect(updateEndUserNotes(late, { uid: "eve", notes: "Late" })).rejects.toThrow("Ada saved this");
});
