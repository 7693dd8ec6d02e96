import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Db, database } from "@/lib/platform/db/client";
import { auditLog, batches, codes } from "@/lib/platform/db/schema";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { stockOf } from "@/lib/program/stats/stock";
import { clientOf } from "@/lib/testing/client";
import { onCluster } from "@/lib/testing/database/cluster";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { abandonImport, sweepImports } from "./abandon-import";
import { quarantineBatch, restoreBatch, undoBatch } from "./batch-state";
import { findImport } from "./get-batch";
import { createCustomCode, importCodes } from "./import";

useService();

async function* fileOf(count: number) {
  for (let index = 0; index < count; index++) yield `CODE${index + 1000}\n`;
}

/** An app whose iOS referee pool has one batch of `count` codes, with a metacode to redeem. */
async function stocked(count: number) {
  const tenant = await makeTenant({ codes: 0 });
  const client = clientOf(tenant.key);
  const poolId = tenant.pools.ios.referee;
  const upload = { poolId, kind: "one_time" as const, source: fileOf(count) };
  const batchId = count > 0 ? (await importCodes(tenant.ctx, upload)).batchId : null;
  const { metacode } = (await client.referrer("anna")).body;
  const redeem = (uid: string) => client.redeem(uid, metacode);
  return { ...tenant, poolId, batchId: batchId ?? "", metacode, redeem };
}

test("a custom code is assigned as often as its limit says, and never again", async () => {
  const { ctx, key, pools } = await makeTenant({ codes: 0 });
  const client = clientOf(key);
  const { metacode } = (await client.referrer("anna")).body;
  const poolId = pools.ios.referee;
  const added = await createCustomCode(ctx, { poolId, code: "Summer-2030", limit: 3 });
  expect(added).toMatchObject({ imported: 3 });
  const uids = ["a", "b", "c", "d", "e"];
  const answers = await Promise.all(uids.map((uid) => client.redeem(uid, metacode)));
  expect(answers.filter(({ status }) => status === 200).map(({ body }) => body.code)).toEqual(
    Array(3).fill("Summer-2030"),
  );
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(2);
  const uses = await database()
    .orm.select({ use: codes.useNumber })
    .from(codes)
    .where(eq(codes.appId, ctx.app.id))
    .orderBy(codes.useNumber);
  expect(uses.map(({ use }) => use)).toEqual([0, 1, 2]);
});

test("a custom code of 12,000 uses is stored whole; the same text again is a conflict that leaves nothing", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const poolId = pools.android.referee;
  await createCustomCode(ctx, { poolId, code: "SPRING", limit: 12_000 });
  const again = createCustomCode(ctx, { poolId, code: "SPRING", limit: 20_000 });
  await expect(again).rejects.toMatchObject({ code: "CONFLICT", field: "code" });
  const pool = (await stockOf(ctx)).find(({ id }) => id === poolId);
  expect(pool?.free).toBe(12_000);
  expect(pool?.batches.map(({ size }) => size)).toEqual([12_000]);
});

test.each([
  [{ code: "abc", limit: 1 }, "code"],
  [{ code: "GOOD", limit: 0 }, "limit"],
  [{ code: "GOOD", limit: 100_000 }, "limit"],
  [{ code: "GOOD", limit: 1, expiresAt: new Date(0) }, "expiresAt"],
])("refuses the custom code %j", async (input, field) => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const run = createCustomCode(ctx, { poolId: pools.ios.referee, ...input });
  await expect(run).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
});

test("a quarantined batch assigns nothing until it is restored", async () => {
  const { ctx, poolId, batchId, redeem } = await stocked(2);
  await quarantineBatch(ctx, batchId);
  expect((await redeem("bob")).status).toBe(503);
  const pool = (await stockOf(ctx)).find(({ id }) => id === poolId);
  expect(pool).toMatchObject({ free: 0, quarantined: 2 });
  await expect(quarantineBatch(ctx, batchId)).rejects.toMatchObject({ code: "CONFLICT" });
  await restoreBatch(ctx, batchId);
  expect((await redeem("bob")).status).toBe(200);
});

test("an undo deletes free codes, keeps assigned codes, and the texts can be imported again", async () => {
  const { ctx, poolId, batchId, redeem } = await stocked(6_000);
  const assigned = (await redeem("bob")).body.code;
  expect(await undoBatch(ctx, batchId)).toEqual({ deleted: 5_999, assigned: 1 });
  expect((await redeem("eve")).status).toBe(503);
  const left = await database().orm.select().from(codes).where(eq(codes.batchId, batchId));
  expect(left.map(({ code, redeemedByUid }) => [code, redeemedByUid])).toEqual([[assigned, "bob"]]);
  await expect(undoBatch(ctx, batchId)).rejects.toMatchObject({ code: "CONFLICT" });
  const again = await importCodes(ctx, { poolId, kind: "one_time", source: fileOf(6_000) });
  expect(again).toMatchObject({ imported: 5_999, skipped: { already_stored: 1 } });
});

test("an undo beside redeems keeps the assigned codes and deletes the rest", async () => {
  const { ctx, batchId, redeem } = await stocked(40);
  const uids = Array.from({ length: 30 }, (_, index) => `friend-${index}`);
  const [undone, ...answers] = await Promise.all([undoBatch(ctx, batchId), ...uids.map(redeem)]);
  const assigned = answers.filter(({ status }) => status === 200).map(({ body }) => body.code);
  expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
  const left = await database().orm.select().from(codes).where(eq(codes.batchId, batchId));
  expect(left.map(({ code }) => code).sort()).toEqual(assigned.sort());
  expect(undone.assigned).toBe(assigned.length);
});

/** The database for a process that is killed after its first transaction. */
function killed(): Db {
  let left = 1;
  const transaction: Db["transaction"] = async (work) => {
    if (left-- > 0) return database().transaction(work);
    throw new Error("killed");
  };
  return { transaction } as Db;
}

/** Runs work that fails at a change of its batch, as if its process were killed there. */
async function killedBefore(
  change: "delete" | "update of size",
  batchId: string,
  work: () => Promise<unknown>,
) {
  await database().pool.query(`
    create function kill() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger kill before ${change} on batches for each row when (old.id = '${batchId}') execute function kill()`);
  await expect(work()).rejects.toThrow();
  await database().pool.query("drop function kill cascade");
}

const storedBatch = async (batchId: string) =>
  (await database().orm.select().from(batches).where(eq(batches.id, batchId)))[0];

test("the sweep finishes an interrupted undo", async () => {
  const { ctx, batchId } = await stocked(10);
  await expect(undoBatch({ ...ctx, db: killed() }, batchId)).rejects.toThrow();
  await sweepImports(database());
  const left = await database().orm.select().from(codes).where(eq(codes.batchId, batchId));
  expect(left).toEqual([]);
  expect(await storedBatch(batchId)).toMatchObject({ state: "undone", size: 0 });
});

test("the text of a custom code stays taken after an interrupted undo", async () => {
  const { ctx, poolId, redeem } = await stocked(1);
  await redeem("ann");
  const { batchId } = await createCustomCode(ctx, { poolId, code: "SUMMER", limit: 3 });
  expect((await redeem("bob")).body.code).toBe("SUMMER");
  await expect(undoBatch({ ...ctx, db: killed() }, batchId ?? "")).rejects.toThrow();
  await sweepImports(database());
  const left = await database()
    .orm.select()
    .from(codes)
    .where(eq(codes.batchId, batchId ?? ""));
  expect(left.map(({ status }) => status).sort()).toEqual(["assigned", "void", "void"]);
  // Only bob's use stays with an end user.
  expect(await storedBatch(batchId ?? "")).toMatchObject({ state: "undone", size: 1 });
  const again = createCustomCode(ctx, { poolId, code: "SUMMER", limit: 3 });
  await expect(again).rejects.toMatchObject({ code: "CONFLICT" });
});

test("the text of a custom code stays taken after an undo beside its first use", async () => {
  const { ctx, poolId, metacode } = await stocked(0);
  const { batchId } = await createCustomCode(ctx, { poolId, code: "SUMMER", limit: 3 });
  const { undoing } = await ctx.db.transaction(async (db) => {
    await redeemMetacode(
      { ...ctx, db },
      { metacode, refereeUid: "bob", platform: "ios", clickId: undefined },
    );
    const undoing = undoBatch(ctx, batchId ?? "");
    await blockedBackends();
    return { undoing };
  });
  expect(await undoing).toEqual({ deleted: 0, assigned: 1 });
  const left = await database()
    .orm.select()
    .from(codes)
    .where(eq(codes.batchId, batchId ?? ""));
  expect(left.map(({ status }) => status).sort()).toEqual(["assigned", "void", "void"]);
});

test.each([
  { assigned: 0, deleted: 10_001, change: 'delete from "codes"' },
  { assigned: 1, deleted: 0, change: 'update "codes"' },
])("a custom code of many uses, of which $assigned is assigned, is undone in parts", async (row) => {
  const { ctx, poolId, redeem } = await stocked(0);
  const { batchId } = await createCustomCode(ctx, { poolId, code: "SUMMER", limit: 10_001 + row.assigned });
  if (row.assigned > 0) expect((await redeem("bob")).status).toBe(200);
  const texts = await statementsOf(async () => {
    expect(await undoBatch(ctx, batchId ?? "")).toEqual({ deleted: row.deleted, assigned: row.assigned });
  });
  expect(texts.filter((text) => text.startsWith(row.change))).toHaveLength(3);
  const left = database().orm.$count(codes, and(eq(codes.appId, ctx.app.id), eq(codes.status, "available")));
  expect(await left).toBe(0);
});

test("a removal of an import that is killed counts as running, and the next sweep completes it", async () => {
  const { ctx, batchId } = await stocked(10);
  await database().orm.update(batches).set({ state: "importing" }).where(eq(batches.id, batchId));
  await database().orm.delete(auditLog).where(eq(auditLog.subjectId, batchId));
  await expect(abandonImport(killed(), ctx.app.id, batchId)).rejects.toThrow();
  expect(await findImport(ctx, batchId)).toEqual({ fate: "running", imported: 0 });
  await sweepImports(database());
  expect(await findImport(ctx, batchId)).toMatchObject({ fate: "gone" });
});

test("a removal of an import without codes that is killed leaves no batch", async () => {
  const { ctx, batchId } = await stocked(1);
  await database().orm.delete(codes).where(eq(codes.batchId, batchId));
  await database().orm.update(batches).set({ state: "importing" }).where(eq(batches.id, batchId));
  await abandonImport(killed(), ctx.app.id, batchId).catch(() => undefined);
  await sweepImports(database());
  expect(await findImport(ctx, batchId)).toMatchObject({ fate: "gone" });
});

test.skipIf(onCluster())(
  "an undo or a removal that is killed after its last deletion is completed by the next sweep (by a trigger, which a cluster refuses)",
  async () => {
    const [undone, custom, removed] = [await stocked(10), await stocked(1), await stocked(10)];
    await undone.redeem("ann");
    const undo = () => undoBatch(undone.ctx, undone.batchId);
    await killedBefore("update of size", undone.batchId, undo);
    await custom.redeem("ann");
    const summer = { poolId: custom.poolId, code: "SUMMER", limit: 3 };
    const { batchId } = await createCustomCode(custom.ctx, summer);
    await custom.redeem("bob");
    await killedBefore("update of size", batchId ?? "", () => undoBatch(custom.ctx, batchId ?? ""));
    await database().orm.update(batches).set({ state: "importing" }).where(eq(batches.id, removed.batchId));
    const { id } = removed.ctx.app;
    await killedBefore("delete", removed.batchId, () => abandonImport(database(), id, removed.batchId));
    await sweepImports(database());
    expect(await storedBatch(undone.batchId)).toMatchObject({ state: "undone", size: 1 });
    expect(await storedBatch(batchId ?? "")).toMatchObject({ state: "undone", size: 1 });
    expect(await storedBatch(removed.batchId)).toBeUndefined();
    expect(await sweepImports(database())).toBe(0);
  },
);

test("another app's batch is unknown", async () => {
  const [mine, other] = await Promise.all([stocked(1), stocked(1)]);
  for (const act of [quarantineBatch, restoreBatch, undoBatch]) {
    await expect(act(mine.ctx, other.batchId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect((await other.redeem("bob")).status).toBe(200);
});
