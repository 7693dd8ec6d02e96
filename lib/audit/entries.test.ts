import { asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createKey } from "@/lib/api-keys/create";
import { revokeKey } from "@/lib/api-keys/revoke";
import { rotateKey } from "@/lib/api-keys/rotate";
import { openApp } from "@/lib/apps/open";
import { database } from "@/lib/db/client";
import { auditLog } from "@/lib/db/schema";
import { makeOffice } from "@/lib/testing/office";
import { useService } from "@/lib/testing/service";

useService();

const entriesOf = (workspaceId: string) =>
  database()
    .orm.select()
    .from(auditLog)
    .where(eq(auditLog.workspaceId, workspaceId))
    .orderBy(asc(auditLog.id));

test("making, rotating and revoking a key is written down with who did it, and without the key", async () => {
  const { office, tenant } = await makeOffice();
  const ctx = { ...tenant.ctx, actor: office.actor };
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
    const who = { actorKind: "user", actorId: office.actor.id, actorName: "Ann", address: "192.0.2.7" };
    expect(entry).toMatchObject({ ...who, appId: ctx.app.id });
  }
  const text = JSON.stringify(entries);
  expect(text).not.toContain(key.slice(12));
  expect(text).not.toContain(next.key.slice(12));
});

test("a new app is written down, and a refused one is not", async () => {
  const { office } = await makeOffice();
  const app = await openApp(office, { name: "Second", sandbox: true });
  await expect(openApp(office, { name: " " })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const [entry, ...more] = await entriesOf(office.workspace.id);
  expect(entry).toMatchObject({
    action: "app.created",
    appId: app.id,
    subjectName: "Second",
    after: { name: "Second", sandbox: true },
  });
  expect(more).toEqual([]);
});
