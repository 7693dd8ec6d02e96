import { and, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog, batches, codes, offerTakers } from "@/lib/platform/db/schema";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { quarantineBatch, restoreBatch, undoBatch } from "./batch-state";
import { exportBatch } from "./export";
import { findImport, findImporter, getBatch } from "./get-batch";
import { importCodes } from "./import";
import { listCodes } from "./list-codes";
import { updateBatch } from "./update-batch";

useService();

async function* fileOf(count: number, prefix = "CODE") {
  for (let index = 0; index < count; index++) yield `${prefix}${String(index).padStart(6, "0")}\n`;
}

async function uploaded(count: number) {
  const tenant = await makeTenant({ codes: 0 });
  const actor = { kind: "user", id: crypto.randomUUID(), name: "Ann", address: "192.0.2.1" } as const;
  const ctx: Context = { ...tenant.ctx, actor };
  const poolId = tenant.pools.ios.referee;
  const upload = { poolId, kind: "one_time", offer: "Spring", origin: "codes.csv" } as const;
  const { batchId } = await importCodes(ctx, { ...upload, source: fileOf(count) });
  const client = clientOf(tenant.key);
  const { metacode } = (await client.referrer("anna")).body;
  const redeem = (uid: string) => client.redeem(uid, metacode);
  return { ctx, poolId, batchId: batchId ?? "", redeem };
}

const entries = (ctx: Context) =>
  database().orm.select().from(auditLog).where(eq(auditLog.appId, ctx.app.id)).orderBy(desc(auditLog.id));

test("every change of a batch is in the audit log with its actor, and never with a code", async () => {
  const { ctx, batchId, redeem } = await uploaded(5);
  await redeem("bob");
  await quarantineBatch(ctx, batchId);
  await restoreBatch(ctx, batchId);
  const expiresAt = new Date(Date.now() + 90 * 86_400_000);
  await updateBatch(ctx, { batchId, offer: "Spring", expiresAt });
  await undoBatch(ctx, batchId);
  const log = await entries(ctx);
  expect(log.map(({ action }) => action)).toEqual([
    "batch.undone",
    "batch.changed",
    "batch.restored",
    "batch.quarantined",
    "batch.imported",
  ]);
  expect(log.every(({ actorName, subjectId }) => actorName === "Ann" && subjectId === batchId)).toBe(true);
  expect(log.at(-1)?.after).toMatchObject({ imported: 5, read: 5, offer: "Spring" });
  expect(JSON.stringify(log)).not.toContain("CODE0000");
  expect(await findImporter(ctx, await getBatch(ctx, batchId))).toBe("Ann");
});

test("the offer of an expired batch can be corrected; its expiry stays or is moved into the future", async () => {
  const { ctx, batchId } = await uploaded(5);
  const expired = new Date(Date.now() - 60_000);
  await ctx.db.orm.update(batches).set({ expiresAt: expired }).where(eq(batches.id, batchId));
  await updateBatch(ctx, { batchId, offer: "Summer", expiresAt: expired });
  expect(await getBatch(ctx, batchId)).toMatchObject({ offer: "Summer", expiresAt: expired });
  for (const expiresAt of [new Date(0), new Date(Date.now() - 1_000)])
    await expect(updateBatch(ctx, { batchId, offer: "Summer", expiresAt })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "expiresAt",
    });
});

test("the offer of a batch stays once a code is assigned; its expiry may be updated", async () => {
  const { ctx, batchId, redeem } = await uploaded(5);
  await updateBatch(ctx, { batchId, offer: "Summer", expiresAt: null });
  await redeem("bob");
  const change = updateBatch(ctx, { batchId, offer: "Autumn", expiresAt: null });
  await expect(change).rejects.toMatchObject({ code: "CONFLICT", field: "offer" });
  const past = updateBatch(ctx, { batchId, offer: "Summer", expiresAt: new Date(0) });
  await expect(past).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "expiresAt" });
  const later = new Date(Date.now() + 9 * 86_400_000);
  await updateBatch(ctx, { batchId, offer: "Summer", expiresAt: later });
  expect(await getBatch(ctx, batchId)).toMatchObject({ offer: "Summer", expiresAt: later });
});

test("the offer of a batch may be updated once its only assigned codes were released or replaced", async () => {
  const { ctx, poolId, batchId, redeem } = await uploaded(5);
  const rename = (offer: string) => updateBatch(ctx, { batchId, offer, expiresAt: null });
  await redeem("bob");
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "bob"), reason: "A test" });
  await rename("Summer");
  await redeem("bob");
  await makeBatch(ctx, poolId, "ios", { size: 1, offer: "Winter" });
  await expect(rename("Autumn")).rejects.toMatchObject({ code: "CONFLICT" });
  await replaceCodeOf(ctx, await referralIdOf(ctx, "bob"), "A test");
  await rename("Autumn");
  expect(await getBatch(ctx, batchId)).toMatchObject({ offer: "Autumn" });
  const own = eq(offerTakers.appId, ctx.app.id);
  expect(await ctx.db.orm.select().from(offerTakers).where(own)).toMatchObject([
    { offer: "Winter", uid: "bob" },
  ]);
});

test("a redeem beside an update of the offer stores its user under the new name", async () => {
  const { tenant, metacode } = await referringTenant({ codes: 0 });
  const { ctx } = tenant;
  const batchId = await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 2, offer: "Sprnig" });
  const { updating } = await ctx.db.transaction(async (db) => {
    await redeemMetacode(
      { ...ctx, db },
      { metacode, refereeUid: "bob", platform: "ios", clickId: undefined },
    );
    const updating = updateBatch(ctx, { batchId, offer: "Spring" });
    await expect.poll(async () => (await getBatch(ctx, batchId)).offer).toBe("Spring");
    return { updating };
  });
  await updating;
  const own = and(eq(offerTakers.appId, ctx.app.id), eq(offerTakers.offer, "Spring"));
  expect(await ctx.db.orm.select().from(offerTakers).where(own)).toMatchObject([{ uid: "bob" }]);
});

test("the offer of a batch whose codes are set aside for people in line is updated while it is in quarantine", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx } = tenant;
  expect((await api.redeem("bob", metacode)).status).toBe(503);
  const upload = { poolId: tenant.pools.ios.referee, kind: "one_time", offer: "Sprnig" } as const;
  const { batchId, setAside } = await importCodes(ctx, { ...upload, source: fileOf(1) });
  const id = batchId ?? "";
  expect(setAside).toBe(1);
  const update = () => updateBatch(ctx, { batchId: id, offer: "Spring" });
  await expect(update()).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("quarantine"),
  });
  await quarantineBatch(ctx, id);
  await update();
  await restoreBatch(ctx, id);
  expect(await getBatch(ctx, id)).toMatchObject({ offer: "Spring", state: "ready" });
  expect((await api.redeem("late", metacode)).status).toBe(503);
  expect((await api.redeem("bob", metacode)).status).toBe(200);
});

test("lists a batch's codes masked, page by page, by state, and none of other batches", async () => {
  const { ctx, poolId, batchId, redeem } = await uploaded(120);
  const source = fileOf(60, "LATER");
  await importCodes(ctx, { poolId, kind: "one_time", source });
  await redeem("bob");
  const batch = await getBatch(ctx, batchId);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof listCodes>> = await listCodes(ctx, batch, { cursor, limit: 50 });
    expect(JSON.stringify(page)).not.toMatch(/CODE0|LATER/);
    seen.push(...page.data.map(({ masked }) => masked));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `••••${String(n).padStart(4, "0")}`));
  const assigned = await listCodes(ctx, batch, { status: "assigned" });
  expect(assigned).toMatchObject({ data: [{ redeemedByUid: "bob", status: "assigned" }], nextCursor: null });
});

test("a page reads 10,000 codes and says that there may be more; the list ends with the batch", async () => {
  const { ctx, poolId, batchId } = await uploaded(10_050);
  await makeBatch(ctx, poolId, "ios", { size: 10_100 });
  const last = (await listCodes(ctx, await getBatch(ctx, batchId), { limit: 1 })).data[0];
  expect(last?.masked).toBe("••••0000");
  await database()
    .orm.update(codes)
    .set({ status: "void" })
    .where(byText(ctx, batchId, "CODE010049"));
  const batch = await getBatch(ctx, batchId);
  const first = await listCodes(ctx, batch, { status: "void" });
  expect(first.data).toEqual([]);
  expect(first.nextCursor).not.toBeNull();
  const next = await listCodes(ctx, batch, { status: "void", cursor: first.nextCursor ?? "" });
  expect(next.data.map(({ masked }) => masked)).toEqual(["••••0049"]);
  // An import an hour later is not part of it.
  const early = new Date(Date.now() - 3_600_000);
  expect(await listCodes(ctx, { ...batch, createdAt: early, id: first.nextCursor ?? "" }, {})).toMatchObject({
    nextCursor: null,
  });
});

const byText = (ctx: Context, batchId: string, code: string) =>
  and(eq(codes.appId, ctx.app.id), eq(codes.batchId, batchId), eq(codes.code, code));

test("an export is in the audit log before the first code is read, and has every code of the batch alone", async () => {
  const { ctx, poolId, batchId, redeem } = await uploaded(10_010);
  await importCodes(ctx, { poolId, kind: "one_time", source: fileOf(20, "LATER") });
  const assigned = (await redeem("bob")).body.code;
  const { rows, name } = await exportBatch(ctx, batchId);
  expect(name).toBe("codes-codes.csv");
  const [entry] = await entries(ctx);
  expect(entry).toMatchObject({ action: "batch.exported", actorName: "Ann", subjectId: batchId });
  const found: { code: unknown; uid: unknown }[] = [];
  for await (const row of rows) found.push(row);
  expect(new Set(found.map(({ code }) => code)).size).toBe(10_010);
  expect(found.every(({ code }) => String(code).startsWith("CODE"))).toBe(true);
  expect(found.filter(({ uid }) => uid === "bob")).toMatchObject([{ code: assigned, status: "assigned" }]);
});

test("another app's batch and its import are unknown to every verb", async () => {
  const [mine, other] = [await uploaded(1), await uploaded(1)];
  for (const act of [getBatch, exportBatch]) {
    await expect(act(mine.ctx, other.batchId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  const change = updateBatch(mine.ctx, { batchId: other.batchId, offer: "x" });
  await expect(change).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await findImport(mine.ctx, other.batchId)).toEqual({ fate: "gone", imported: 0 });
  const foreign = await getBatch(other.ctx, other.batchId);
  expect((await listCodes(mine.ctx, foreign, {})).data).toEqual([]);
  expect(await entries(other.ctx)).toHaveLength(1);
});

test("finds the progress of an import", async () => {
  const { ctx, batchId } = await uploaded(3);
  expect(await findImport(ctx, batchId)).toEqual({ fate: "done", imported: 3 });
  await database().orm.update(batches).set({ state: "importing" }).where(eq(batches.id, batchId));
  expect(await findImport(ctx, batchId)).toMatchObject({ fate: "running" });
  await database().orm.update(batches).set({ state: "ready" }).where(eq(batches.id, batchId));
  await undoBatch(ctx, batchId);
  expect(await findImport(ctx, batchId)).toEqual({ fate: "undone", imported: 0 });
  expect(await findImport(ctx, "no id")).toMatchObject({ fate: "gone" });
});
