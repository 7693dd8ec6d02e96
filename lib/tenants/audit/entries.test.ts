import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog } from "@/lib/platform/db/schema";
import { createKey } from "@/lib/tenants/api-keys/create";
import { revokeKey, rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import { createApp } from "@/lib/tenants/apps/create";
import { useService } from "@/lib/testing/service";
import { makeWorkspace } from "@/lib/testing/workspace";

useService();

const entriesOf = (workspaceId: string) =>
  database()
    .orm.select()
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspaceId))
    .orderBy(asc(auditLog.id));

test("making, rotating and revoking a key is recorded with the actor and without the key", async () => {
  const { workspaceContext, tenant } = await makeWorkspace();
  const ctx = { ...tenant.ctx, actor: workspaceContext.actor };
  const { id, key } = await createKey(ctx, { name: "Phone" });
  const next = await rotateKey(ctx, { keyId: id, grace: "1h" });
  await revokeKey(ctx, { keyId: next.id });
  await expect(revokeKey(ctx, { keyId: next.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const entries = await entriesOf(ctx.workspace.id);
  expect(entries.map(({ action, subjectId, subjectName }) => [action, subjectId, subjectName])).toEqual([
    ["api_key.created", id, "Phone"],
    ["api_key.rotated", id, "Phone"],
    ["api_key.revoked", next.id, "Phone"],
  ]);
  for (const entry of entries) {
    const actor = {
      actorKind: "user",
      actorId: workspaceContext.actor.id,
      actorName: "Ann",
      address: "192.0.2.7",
    };
    expect(entry).toMatchObject({ ...actor, appId: ctx.app.id });
  }
  const text = JSON.stringify(entries);
  expect(text).not.toContain(key.slice(12));
  expect(text).not.toContain(next.key.slice(12));
});

test("a new app is recorded, and a refused one is not", async () => {
  const { workspaceContext } = await makeWorkspace();
  const app = await createApp(workspaceContext, { name: "Second", sandbox: true });
  await expect(createApp(workspaceContext, { name: " " })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  const [entry, ...more] = await entriesOf(workspaceContext.workspace.id);
  expect(entry).toMatchObject({
    action: "app.created",
    appId: app.id,
    subjectName: "Second",
    after: { name: "Second", sandbox: true },
  });
  expect(more).toEqual([]);
});
