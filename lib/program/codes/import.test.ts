import { Readable } from "node:stream";
import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { FileConcern } from "@/lib/contract/code-file";
import { database, openDatabase } from "@/lib/platform/db/client";
import { batches, codes } from "@/lib/platform/db/schema";
import { stockOf } from "@/lib/program/stats/stock";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makePool, makeTenant } from "@/lib/testing/tenant";
import { sweepImports } from "./abandon-import";
import { importCodes } from "./import";

useService();

const text = (index: number) => `CODE${String(index).padStart(8, "0")}`;

async function* lines(from: number, to: number): AsyncGenerator<string> {
  for (let index = from; index < to; index++) yield `${text(index)}\n`;
}

async function emptyPool() {
  const { ctx, key } = await makeTenant({ codes: 0 });
  return { ctx, key, poolId: await makePool(ctx, "ios", "referee", 0) };
}

type Ctx = Awaited<ReturnType<typeof emptyPool>>["ctx"];

const stored = async (ctx: Ctx) =>
  (await database().orm.select({ code: codes.code }).from(codes).where(eq(codes.appId, ctx.app.id))).map(
    ({ code }) => code,
  );
const batchesOf = (ctx: Ctx) =>
  database().orm.select().from(batches).where(eq(batches.appId, ctx.app.id)).orderBy(batches.id);

const file = { kind: "one_time", origin: "codes.csv" } as const;

test("imports a file, counts stored codes, and shows progress", async () => {
  const { ctx, poolId } = await emptyPool();
  const seen: number[] = [];
  const onProgress = ({ imported }: { imported: number }) => seen.push(imported);
  const first = await importCodes(ctx, { ...file, poolId, source: lines(0, 12_000), onProgress });
  expect(first).toMatchObject({ read: 12_000, imported: 12_000, skipped: {} });
  expect(seen.at(-1)).toBe(12_000);
  expect(seen.length).toBe(3);

  async function* again() {
    yield* lines(11_990, 12_010);
    yield* lines(12_005, 12_012);
    yield "?\n";
  }
  const second = await importCodes(ctx, { ...file, poolId, source: again() });
  expect(second).toMatchObject({
    read: 28,
    imported: 12,
    skipped: { already_stored: 10, repeated_in_file: 5, not_a_code: 1 },
  });
  expect(second.examples).toContainEqual({ line: 28, reason: "not_a_code" });
  expect(second.examples).toContainEqual({ line: 1, reason: "already_stored" });
  expect(new Set(await stored(ctx)).size).toBe(12_012);
  const [pool] = (await stockOf(ctx)).filter(({ id }) => id === poolId);
  expect(pool?.free).toBe(12_012);
  expect((await batchesOf(ctx)).map(({ state, size }) => [state, size])).toEqual([
    ["ready", 12_000],
    ["ready", 12],
  ]);
});

test("a file of stored codes leaves no batch, a file without codes is refused", async () => {
  const { ctx, poolId } = await emptyPool();
  await importCodes(ctx, { ...file, poolId, source: lines(0, 3) });
  const again = await importCodes(ctx, { ...file, poolId, source: lines(0, 3) });
  expect(again).toMatchObject({ batchId: null, imported: 0, skipped: { already_stored: 3 } });
  async function* nothing() {
    yield "Code\n!\n";
  }
  await expect(importCodes(ctx, { ...file, poolId, source: nothing() })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: "The file has no codes for this app and store (1 × Not a code)",
  });
  expect(await batchesOf(ctx)).toHaveLength(1);
});

test("a file whose codes expire on different days is imported only once its sender has agreed to one day", async () => {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const rows = ["GOOD0001,2098-03-31", "GOOD0002,2098-03-31 23:59", "GOOD0003,", "GOOD0004,2098-06-30"];
  const upload = (count: number, agreed: FileConcern[] = []) => {
    const source = Readable.from([`Code,Expires\n${rows.slice(0, count).join("\n")}`]);
    return importCodes(ctx, { poolId: pools.ios.referee, kind: "one_time", source, agreed });
  };
  expect(await upload(3)).toMatchObject({ imported: 3 });
  const days = "different days, from 31 March 2098 to 30 June 2098";
  await expect(upload(4)).rejects.toMatchObject({ field: "agreed", message: expect.stringContaining(days) });
  expect(await upload(4, ["expires"])).toMatchObject({ imported: 1 });
  rows.push("GOOD0005,soon");
  await expect(upload(5)).rejects.toThrow(new RegExp(`${days}.*cannot be read: “soon”`));
});

test("repeated texts in chunks that run side by side are stored once, without a deadlock", async () => {
  const { ctx, poolId } = await emptyPool();
  async function* backAndForth() {
    yield* lines(0, 5_000);
    for (let index = 4_999; index >= 0; index--) yield `${text(index)}\n`;
    yield* lines(0, 5_000);
  }
  const result = await importCodes(ctx, { ...file, poolId, source: backAndForth() });
  expect(result).toMatchObject({ imported: 5_000, skipped: { repeated_in_file: 10_000 } });
  expect(await stored(ctx)).toHaveLength(5_000);
});

test("a file of many stored codes is imported again in time by a plan that knows of no codes", async () => {
  await database().orm.execute(sql`alter table codes set (autovacuum_enabled = off)`);
  const { ctx, poolId } = await emptyPool();
  await importCodes(ctx, { ...file, poolId, source: lines(0, 20_000) });
  const url = new URL(process.env.DATABASE_URL ?? "");
  // As after five chunks on the same connection.
  url.searchParams.set("options", "-c plan_cache_mode=force_generic_plan");
  const db = openDatabase({ url: url.href, size: 2 });
  const again = await importCodes({ ...ctx, db }, { ...file, poolId, source: lines(0, 20_001) });
  await db.close();
  expect(again).toMatchObject({ imported: 1, skipped: { already_stored: 20_000 } });
});

test("nothing can be redeemed before the last row, everything after it", async () => {
  const { ctx, key, pools } = await makeTenant({ codes: 0 });
  const client = clientOf(key);
  const { metacode } = (await client.referrer("anna")).body;
  let early: { status: number } | undefined;
  async function* slow() {
    yield* lines(0, 10_001);
    early = await client.redeem("early", metacode);
    yield* lines(10_001, 10_002);
  }
  await importCodes(ctx, { ...file, poolId: pools.ios.referee, source: slow() });
  expect(early?.status).toBe(503);
  expect((await client.redeem("early", metacode)).status).toBe(200);
});

test.each(["between rows", "while the source is silent"])("cancelled %s, nothing remains", async (when) => {
  const { ctx, poolId } = await emptyPool();
  const cancel = new AbortController();
  async function* upload() {
    yield* lines(0, 11_000);
    if (when === "between rows") cancel.abort();
    else setImmediate(() => cancel.abort());
    if (when !== "between rows") await new Promise(() => undefined);
    yield* lines(11_000, 40_000);
  }
  const run = importCodes(ctx, { ...file, poolId, source: upload(), signal: cancel.signal });
  await expect(run).rejects.toMatchObject({ name: "AbortError" });
  expect(await stored(ctx)).toEqual([]);
  expect(await batchesOf(ctx)).toEqual([]);
  await expect(importCodes(ctx, { ...file, poolId, source: lines(0, 10) })).resolves.toMatchObject({
    imported: 10,
  });
});

test("a source that breaks off leaves nothing", async () => {
  const { ctx, poolId } = await emptyPool();
  async function* broken() {
    yield* lines(0, 7_000);
    throw new Error("the upload broke off");
  }
  await expect(importCodes(ctx, { ...file, poolId, source: broken() })).rejects.toThrow("broke off");
  expect(await stored(ctx)).toEqual([]);
  expect(await batchesOf(ctx)).toEqual([]);
});

test("the sweep removes a silent import and leaves a running import; a swept import cannot continue", async () => {
  const { ctx, poolId } = await emptyPool();
  const importing = and(eq(batches.appId, ctx.app.id), eq(batches.state, "importing"));
  async function* stalled() {
    yield* lines(0, 6_000);
    await sweepImports(database());
    expect(await batchesOf(ctx)).toHaveLength(1);
    const old = sql`now() - interval '121 seconds'`;
    await database().orm.update(batches).set({ createdAt: old }).where(importing);
    await sweepImports(database());
    expect(await batchesOf(ctx)).toHaveLength(0);
    yield* lines(6_000, 20_000);
  }
  await expect(importCodes(ctx, { ...file, poolId, source: stalled() })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await stored(ctx)).toEqual([]);
});

test("no chunk goes into a batch that is being abandoned, and the sweep removes earlier chunks", async () => {
  const { ctx, poolId } = await emptyPool();
  async function* closed() {
    yield* lines(0, 10_001);
    while ((await stored(ctx)).length < 10_000);
    await database().orm.update(batches).set({ state: "undone" }).where(eq(batches.appId, ctx.app.id));
    yield* lines(10_001, 30_000);
  }
  const run = importCodes(ctx, { ...file, poolId, source: closed() });
  await expect(run).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await stored(ctx)).toHaveLength(10_000);
  await sweepImports(database());
  expect(await stored(ctx)).toEqual([]);
});

test("codes of an unfinished import do not count as stored", async () => {
  const { ctx, poolId } = await emptyPool();
  let second: unknown;
  async function* first() {
    yield* lines(0, 10_001);
    // The source is read ahead of the chunks that are stored.
    await expect.poll(() => stored(ctx)).toContain(text(4));
    second = await importCodes(ctx, { ...file, poolId, source: lines(0, 5) }).catch(
      (error: unknown) => error,
    );
  }
  await importCodes(ctx, { ...file, poolId, source: first() });
  expect(second).toMatchObject({ code: "CONFLICT" });
  expect(await batchesOf(ctx)).toHaveLength(1);
});

test("another app's pool is unknown", async () => {
  const [mine, other] = await Promise.all([emptyPool(), emptyPool()]);
  const run = importCodes(mine.ctx, { ...file, poolId: other.poolId, source: lines(0, 1) });
  await expect(run).rejects.toMatchObject({ code: "NOT_FOUND" });
});
