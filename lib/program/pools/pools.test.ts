import { and, desc, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog, batches, campaigns, codes, pools } from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { sweepImports } from "@/lib/program/codes/abandon-import";
import { undoBatch } from "@/lib/program/codes/batch-state";
import { importCodes } from "@/lib/program/codes/import";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { getPool } from "./get";
import { createPool, deletePool, updatePool } from "./pools";

useService();

const input = { platform: "ios", use: "reward", name: "Gifts" } as const;

const actions = async (ctx: Context) => {
  const mine = eq(auditLog.appId, ctx.app.id);
  const rows = await database().orm.select().from(auditLog).where(mine).orderBy(desc(auditLog.id));
  return rows.map(({ action }) => action);
};

async function upload(ctx: Context, poolId: string) {
  async function* source() {
    yield "CODE1234\nCODE5678\n";
  }
  return (await importCodes(ctx, { poolId, kind: "one_time", source: source() })).batchId ?? "";
}

test("a pool is created, updated and deleted, and the audit log has each change", async () => {
  const { ctx } = await makeTenant({ codes: 0 });
  const { id } = await createPool(ctx, { ...input, lowStock: 20 });
  expect(await getPool(ctx, id)).toMatchObject({ ...input, lowStock: 20, alertTo: [] });
  const alertTo = ["Ann@Example.com", "ann@example.com", "bob@example.com"];
  await updatePool(ctx, { poolId: id, name: "Presents", lowStock: 0, alertTo });
  expect(await getPool(ctx, id)).toMatchObject({
    name: "Presents",
    lowStock: 0,
    alertTo: ["ann@example.com", "bob@example.com"],
  });
  await deletePool(ctx, id);
  await expect(getPool(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await actions(ctx)).toEqual(["pool.deleted", "pool.changed", "pool.created"]);
});

test.each([
  [{ name: " ", lowStock: 1, alertTo: [] }, "name"],
  [{ name: "Gifts", lowStock: -1, alertTo: [] }, "lowStock"],
  [{ name: "Gifts", lowStock: 1, alertTo: ["ann at example"] }, "alertTo"],
])("refuses the update %j", async (change, field) => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const run = updatePool(ctx, { poolId: pools.ios.referee, ...change });
  await expect(run).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  expect(await actions(ctx)).toEqual([]);
});

test("an app has a bounded number of pools and of campaigns", async () => {
  const { ctx } = await makeTenant({ codes: 0 });
  const rows = <Row>(count: number, row: Row) =>
    Array.from({ length: count }, () => ({ ...row, appId: ctx.app.id, id: uuidv7() }));
  await ctx.db.orm.insert(pools).values(rows(995, input));
  await createPool(ctx, input);
  await expect(createPool(ctx, input)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "An app can have at most 1,000 pools",
  });
  const rules = { type: "referral", name: "Launch", platforms: { ios: { threshold: 3 } } } as const;
  const filler = { type: "referral", name: "Filler" } as const;
  await ctx.db.orm.insert(campaigns).values(rows(998, { ...filler, status: "draft" } as const));
  await ctx.db.orm.insert(campaigns).values(rows(1, { ...filler, status: "ended" } as const));
  await createCampaign(ctx, rules);
  await expect(createCampaign(ctx, rules)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "An app can have at most 1,000 campaigns. End one first",
  });
});

test("a pool that a campaign names, or that has codes, stays", async () => {
  const { ctx, pools, campaignId } = await makeTenant({ codes: 0 });
  const message = expect.stringContaining("Choose another pool there first");
  await expect(deletePool(ctx, pools.ios.reward)).rejects.toMatchObject({ code: "CONFLICT", message });
  await endCampaign(asTeamMember(ctx), campaignId);
  const ended = expect.stringMatching(/^“Launch” has ended .* Rename it/);
  await expect(deletePool(ctx, pools.ios.reward)).rejects.toMatchObject({ code: "CONFLICT", message: ended });
  await expect(deletePool(ctx, pools.ios.referee)).rejects.not.toThrow("rewards");
  const { id } = await createPool(ctx, input);
  const batchId = await upload(ctx, id);
  await expect(deletePool(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  await undoBatch(ctx, batchId);
  await deletePool(ctx, id);
});

test("a pool with assigned codes stays, even after its batch was undone", async () => {
  const { ctx, pools, key } = await makeTenant({ codes: 0 });
  const batchId = await upload(ctx, pools.ios.referee);
  const client = clientOf(key);
  const { metacode } = (await client.referrer("anna")).body;
  await client.redeem("bob", metacode);
  await undoBatch(ctx, batchId);
  await expect(deletePool(ctx, pools.ios.referee)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("a pool stays while the codes of a failed import are being removed from it", async () => {
  const { ctx } = await makeTenant({ codes: 0 });
  const { id } = await createPool(ctx, input);
  const batchId = await upload(ctx, id);
  // As by a process that was killed after it had closed the import.
  const closed = and(eq(batches.appId, ctx.app.id), eq(batches.id, batchId));
  await database().orm.update(batches).set({ state: "undone", size: 0 }).where(closed);
  await expect(deletePool(ctx, id)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("being removed"),
  });
  await sweepImports(database());
  expect(await database().orm.$count(codes, eq(codes.appId, ctx.app.id))).toBe(0);
  await deletePool(ctx, id);
});

test("another app's pool is unknown", async () => {
  const [mine, other] = [await makeTenant({ codes: 0 }), await makeTenant({ codes: 0 })];
  const { id } = await createPool(other.ctx, input);
  await expect(deletePool(mine.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const change = updatePool(mine.ctx, { poolId: id, name: "Mine", lowStock: 1, alertTo: [] });
  await expect(change).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await getPool(other.ctx, id)).toMatchObject(input);
});
