import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { batches, codes } from "@/lib/platform/db/schema";
import { completeEnv, env } from "@/lib/platform/env";
import { listPoolNames } from "@/lib/program/pools/get";
import { systemContext } from "@/lib/tenants/apps/app";
import { insertApp } from "@/lib/tenants/apps/create";
import { insertWorkspace } from "@/lib/tenants/workspaces/create";
import { onCluster } from "@/lib/testing/database/cluster";
import { temporaryFolder } from "@/lib/testing/folder";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { checkCodeFile, listRefusedRows } from "./check-file";
import { createCustomCode, importCodes } from "./import";

useService();

const fixture = (name: string) => readFileSync(`lib/program/codes/fixtures/${name}`, "utf8");

async function* sourceOf(text: string) {
  yield text;
}

async function target() {
  const { ctx, pools } = await makeTenant({ codes: 0 });
  const file = (text: string, platform: "ios" | "android" = "ios") => {
    return { poolId: pools[platform].referee, kind: "one_time" as const, source: sourceOf(text) };
  };
  return { ctx, file };
}

test.each([
  ["app-store-one-time.csv", "ios"],
  ["app-store-api-values.csv", "ios"],
  ["app-store-header.csv", "ios"],
  ["app-store-promo.txt", "ios"],
  ["play-one-time.csv", "android"],
  ["play-header.csv", "android"],
  ["play-links.csv", "android"],
] as const)(
  "finds all six codes of %s, stores none, and an import then takes as many",
  async (name, platform) => {
    const { ctx, file } = await target();
    const report = await checkCodeFile(ctx, file(fixture(name), platform));
    expect(report).toMatchObject({ read: 6, fresh: 6, refused: {}, expiresAt: null });
    const stored = () => database().orm.select().from(codes).where(eq(codes.appId, ctx.app.id));
    expect(await stored()).toEqual([]);
    const { batchId } = report;
    const origin = name;
    expect(await importCodes(ctx, { ...file(fixture(name), platform), batchId, origin })).toMatchObject({
      batchId,
      imported: 6,
    });
    const again = importCodes(ctx, { ...file("OTHER123", platform), batchId });
    await expect(again).rejects.toMatchObject({ code: "CONFLICT" });
    const after = await checkCodeFile(ctx, file(fixture(name), platform));
    expect(after).toMatchObject({ fresh: 0, refused: { already_stored: 6 } });
    expect(after.examples.already_stored?.[0]?.where).toContain(`${name} of 20`);
    expect(await stored()).toHaveLength(6);
  },
);

test("gives a reason for every refused row, and shows only the end of its code", async () => {
  const { ctx, file } = await target();
  const text = fixture("app-store-bad-rows.csv");
  await importCodes(ctx, { ...file(text.split("\n")[1] ?? ""), origin: "earlier.csv" });
  const report = await checkCodeFile(ctx, file(text));
  expect(report).toMatchObject({
    read: 9,
    fresh: 2,
    refused: {
      already_stored: 1,
      repeated_in_file: 1,
      other_app: 1,
      other_store: 1,
      link_differs: 1,
      not_a_code: 2,
    },
  });
  expect(report.examples.repeated_in_file).toMatchObject([{ line: 3, where: "line 1" }]);
  expect(report.examples.already_stored?.[0]?.where).toMatch(/^earlier\.csv of \d{4}-\d\d-\d\d$/);
  expect(report.examples.not_a_code).toMatchObject([
    { line: 7, text: "two words" },
    { line: 8, text: "=1+1" },
  ]);
  const shown = JSON.stringify(report);
  expect(text.match(/\b[A-Z0-9]{18}\b/g)?.filter((code) => shown.includes(code))).toEqual([]);
});

test("reads the status and expiry columns of a list", async () => {
  const { ctx, file } = await target();
  expect(await checkCodeFile(ctx, file(fixture("kept-list.csv")))).toMatchObject({
    read: 6,
    fresh: 4,
    refused: { used: 1, expired: 1 },
    expiresAt: "2098-03-31",
  });
});

test("does not look at another app's codes", async () => {
  const [mine, other] = [await target(), await target()];
  await importCodes(other.ctx, other.file("SHARED12\nSHARED34"));
  expect(await checkCodeFile(mine.ctx, mine.file("SHARED12\nSHARED34"))).toMatchObject({
    fresh: 2,
    refused: {},
  });
  const foreign = checkCodeFile(mine.ctx, { ...other.file("SHARED12") });
  await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("separates codes of an unfinished import from stored codes, and a custom code is one code", async () => {
  const { ctx, file } = await target();
  await importCodes(ctx, file("COMING12"));
  await database().orm.update(batches).set({ state: "importing" }).where(eq(batches.appId, ctx.app.id));
  await createCustomCode(ctx, { poolId: file("").poolId, code: "SUMMER25", limit: 3 });
  const report = await checkCodeFile(ctx, file("COMING12\nSUMMER25\nNEWONE12"));
  expect(report).toMatchObject({ fresh: 1, refused: { in_other_import: 1, already_stored: 1 } });
});

test("looks up a large file in few statements and finds repeats across them", async () => {
  const { ctx, file } = await target();
  const text = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `CODE${String(from + index).padStart(6, "0")}\n`).join(
      "",
    );
  await importCodes(ctx, file(text(11_000, 12_000)));
  const seen: number[] = [];
  const source = sourceOf(text(0, 12_500) + text(0, 10));
  const onProgress = ({ read }: { read: number }) => seen.push(read);
  const report = await checkCodeFile(ctx, { ...file(""), source, onProgress });
  expect(report).toMatchObject({ read: 12_510, fresh: 11_500 });
  expect(report.refused).toEqual({ already_stored: 1_000, repeated_in_file: 10 });
  expect(seen.at(-1)).toBe(12_510);
  expect(seen.length).toBeLessThan(5);
  expect(report.examples.already_stored).toHaveLength(20);
});

const PLAY = fixture("play-one-time.csv");

test("a doubtful file is imported only by a sender who has agreed to what the check found", async () => {
  const { ctx, file } = await target();
  const report = await checkCodeFile(ctx, file(PLAY));
  expect(report.fresh).toBe(6);
  expect(report.ends.first).toEqual(["RDL••••IC7", expect.any(String), expect.any(String)]);
  expect(Object.keys(report.concerns)).toEqual(["other_store"]);
  expect(JSON.stringify(report)).not.toMatch(/\b[A-Z0-9]{23}\b/);
  const refused = importCodes(ctx, { ...file(PLAY), agreed: ["lengths"] });
  await expect(refused).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringMatching(/^These look like Google Play codes, but the pool is for iOS/),
  });
  expect(await database().orm.select().from(codes).where(eq(codes.appId, ctx.app.id))).toEqual([]);
  expect(await importCodes(ctx, { ...file(PLAY), agreed: ["other_store"] })).toMatchObject({ imported: 6 });
});

test("a report is refused by the check and by the import, and leaves nothing", async () => {
  const { ctx, file } = await target();
  const report = "Date,Units,Proceeds\n2026-11-01,12,34.50\n2026-11-02,7,20.00\n";
  const message = expect.stringContaining("a report with 3 columns (Date, Units, Proceeds)");
  await expect(checkCodeFile(ctx, file(report))).rejects.toMatchObject({ message });
  await expect(importCodes(ctx, file(report))).rejects.toMatchObject({ message });
  expect(await database().orm.select().from(batches).where(eq(batches.appId, ctx.app.id))).toEqual([]);
});

test("without a pool, the first import of a store and use creates one, also when two run at once", async () => {
  const workspace = await insertWorkspace(database(), { name: "Test", plan: "pro" });
  const ctx = systemContext(database(), await insertApp(database(), workspace.id, { name: "Test" }));
  const to = { platform: "android", use: "reward", kind: "one_time" } as const;
  await expect(checkCodeFile(ctx, { kind: "one_time", source: sourceOf("?") })).rejects.toMatchObject({
    field: "poolId",
  });
  expect(await checkCodeFile(ctx, { ...to, source: sourceOf(PLAY) })).toMatchObject({ fresh: 6 });
  expect(await listPoolNames(ctx)).toEqual([]);
  const each = PLAY.split("\n").filter(Boolean);
  await Promise.all(each.map((code) => importCodes(ctx, { ...to, source: sourceOf(code) })));
  expect(await listPoolNames(ctx)).toMatchObject([
    { name: "Google Play codes for rewards", platform: "android", use: "reward" },
  ]);
});

test("canceled, it ends with the reason", async () => {
  const { ctx, file } = await target();
  const cancel = new AbortController();
  async function* silent() {
    yield "CODE1234\n";
    setImmediate(() => cancel.abort());
    await new Promise(() => undefined);
  }
  const run = checkCodeFile(ctx, { ...file(""), source: silent(), signal: cancel.signal });
  await expect(run).rejects.toMatchObject({ name: "AbortError" });
});

test("gives all refused rows as they stood in the file, unless they would fill the disk, and leaves no file behind, not even of a killed process", async () => {
  const { ctx, file } = await target();
  const folder = join(await temporaryFolder(), "data");
  const former = env().DATA_DIR;
  onTestFinished(() => completeEnv({ DATA_DIR: former }));
  completeEnv({ DATA_DIR: folder });
  // The temporary folder may be small and in memory.
  vi.stubEnv("TMPDIR", join(folder, "none"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const rows: Record<string, unknown>[] = [];
  for await (const row of await listRefusedRows(ctx, file(fixture("app-store-bad-rows.csv")))) rows.push(row);
  expect(rows.map(({ line, reason }) => [line, reason])).toEqual([
    [3, "Repeated in the file"],
    [4, "Another app"],
    [5, "Other store"],
    [6, "Code and link differ"],
    [7, "Not a code"],
    [8, "Not a code"],
  ]);
  expect(rows[0]?.text).toMatch(/^[A-Z0-9]{18}$/);
  async function* broken() {
    yield "?\n".repeat(40_000);
    throw new Error("broken off");
  }
  await expect(listRefusedRows(ctx, { ...file(""), source: broken() })).rejects.toThrow("broken off");
  const list = (bytes: number) => listRefusedRows(ctx, file("?\n".repeat(1_000)), bytes);
  for await (const { reason } of await list(60_000)) expect(reason).toBe("Not a code");
  await expect(list(30_000)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const cut = await listRefusedRows(ctx, file("?\n?\n"));
  await cut.next();
  expect(await readdir(folder)).toEqual([]);
  await cut.return(undefined);
});

test.skipIf(onCluster())(
  "the lookup of stored codes walks the unique index (the plan of a single server)",
  async () => {
    const { ctx } = await makeTenant({ codes: 500 });
    const { rows } = await database().orm.transaction(async (tx) => {
      // Among the few codes of the other tests every index is as good, once they are analyzed.
      await tx.execute(sql`analyze codes`);
      await tx.execute(sql`set local enable_seqscan = off`);
      return tx.execute<{ "QUERY PLAN": string }>(sql`explain select code from codes
      where app_id = ${ctx.app.id} and platform = 'ios' and use_number = 0
        and code = any(string_to_array(${"A,B"}, ','))`);
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/codes_code/);
    expect(plan).toMatch(/Index Cond: .*code = ANY/);
  },
);
