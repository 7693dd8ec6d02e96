import { execFile } from "node:child_process";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { database, openDatabase } from "@/lib/platform/db/client";
import { codeRequests } from "@/lib/platform/db/schema";
import { codeRequestQueue } from "@/lib/program/code-requests/run-due";
import { undoBatch } from "@/lib/program/codes/batch-state";
import { checkCodeFile } from "@/lib/program/codes/check-file";
import { importCodes } from "@/lib/program/codes/import";
import { findDoubtfulPools, voidFreeCodes } from "@/lib/program/codes/void-codes";
import { setAside } from "@/lib/program/line/line";
import { createPool, deletePool } from "@/lib/program/pools/pools";
import { batchStock } from "@/lib/program/stats/stock";
import { advanceRequest } from "@/lib/testing/app-store/advance";
import { startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { bundleForChild } from "@/lib/testing/processes/child";
import { workOff } from "@/lib/testing/queue";
import { redeemingTenant } from "@/lib/testing/redeems";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a".repeat(32) });

const statuses = async (appId: string) => {
  const { rows } = await database().orm.execute(
    sql`select status, count(*)::int as codes from codes where app_id = ${appId} group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ status, codes }) => [status, codes]));
};

test("after a restore no code is assigned that may have been assigned before it", async () => {
  const { tenant, redeem } = await redeemingTenant({ codes: 6_000 });
  const { ctx, pools } = tenant;
  const { id } = ctx.app;
  const before = await redeem({ refereeUid: "before" });
  const { rows } = await database().orm.execute<{ at: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  );
  const since = new Date(Number(rows[0]?.at));
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 3, expiresAt: new Date(Date.now() + 1e9) });
  const custom = await makeBatch(ctx, pools.android.referee, "android", { size: 4, kind: "custom" });
  await database().orm.execute(
    sql`update batches set created_at = ${since}::timestamptz - interval '1 day' where id = ${custom}`,
  );
  const expired = await makeBatch(ctx, pools.android.reward, "android", { size: 2, expiresAt: new Date(0) });
  await database().orm.execute(
    sql`update batches set created_at = ${since}::timestamptz - interval '1 day' where id = ${expired}`,
  );

  const doubtful = (await findDoubtfulPools(database(), since)).filter(({ appId }) => appId === id);
  expect(doubtful.map(({ free }) => free).sort()).toEqual([5_999, 6_000, 6_000, 6_000]);
  const none = `There is no app ${ctx.workspace.id}`;
  await expect(findDoubtfulPools(database(), since, ctx.workspace.id)).rejects.toThrow(none);
  expect(await statuses(id)).toEqual({ assigned: 1, available: 24_008 });

  let voided = 0;
  for (const pool of doubtful) voided += await voidFreeCodes(database(), pool, since);
  expect(voided).toBe(23_999);
  expect(await statuses(id)).toEqual({ assigned: 1, available: 9, void: 23_999 });
  expect(await findDoubtfulPools(database(), since, id)).toEqual([]);

  const stock = await batchStock(ctx);
  expect(stock.reduce((sum, { free }) => sum + free, 0)).toBe(3 + 4);
  const after = [
    await redeem({ refereeUid: "a" }),
    await redeem({ refereeUid: "b" }),
    await redeem({ refereeUid: "c" }),
  ];
  expect(new Set([before, ...after]).size).toBe(4);
  expect(await redeem({ refereeUid: "d" })).toMatch(/^NO_CODES/);
  const audit = await database().orm.execute(
    sql`select before, after from audit_log where app_id = ${id} and action = 'pool.voided'`,
  );
  expect(audit.rows).toHaveLength(4);
  expect(audit.rows).toContainEqual({
    before: { free: 5_999 },
    after: { free: 0, since: since.toISOString() },
  });
});

test("a person in line whose code becomes void has the next code that is not doubtful, before newcomers", async () => {
  const { tenant, redeem } = await redeemingTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  expect(await redeem({ refereeUid: "early" })).toMatch(/^NO_CODES/);
  const doubtful = await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
  await setAside(ctx, pools.ios.referee);
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
  const since = new Date(Date.now() - 1e6);
  await database().orm.execute(
    sql`update batches set created_at = ${since}::timestamptz - interval '1 day' where id = ${doubtful}`,
  );
  for (const pool of await findDoubtfulPools(database(), since, ctx.app.id)) {
    expect(await voidFreeCodes(database(), pool, since)).toBe(1);
  }
  expect(await redeem({ refereeUid: "late" })).toMatch(/^NO_CODES/);
  expect(await redeem({ refereeUid: "early" })).toMatch(/^C/);
});

test("voided codes of a pool that was deleted are stored for the check of a file, as for its import", async () => {
  const { ctx } = await makeTenant({ codes: 0 });
  const upload = async () => {
    const { id: poolId } = await createPool(ctx, { platform: "ios", use: "referee", name: "Friends" });
    return { poolId, kind: "one_time", source: Readable.from(["GOOD0001\nGOOD0002"]) } as const;
  };
  const first = await upload();
  const { batchId } = await importCodes(ctx, first);
  const [pool] = await findDoubtfulPools(database(), new Date(Date.now() + 60_000), ctx.app.id);
  if (pool) await voidFreeCodes(database(), pool, new Date());
  await undoBatch(ctx, batchId ?? "");
  await deletePool(ctx, first.poolId);
  expect(await importCodes(ctx, await upload())).toMatchObject({
    imported: 0,
    skipped: { already_stored: 2 },
  });
  expect(await checkCodeFile(ctx, await upload())).toMatchObject({
    fresh: 0,
    refused: { already_stored: 2 },
  });
});

test("however many pools there are, they are counted one after another: others would wait too long for a connection", async () => {
  const { ctx } = await makeTenant({ codes: 1 });
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  const waiting: number[] = [];
  db.pool.on("acquire", () => waiting.push(db.pool.waitingCount));
  expect(await findDoubtfulPools(db, new Date(Date.now() + 60_000), ctx.app.id)).toHaveLength(4);
  await db.close();
  expect(Math.max(...waiting)).toBe(0);
});

test("after a restore no open request imports codes that it may have imported before, even where no code is doubtful", async () => {
  const apple = await startAppStoreConnect();
  onTestFinished(apple.stop);
  const tenant = await makeAppleTenant(apple);
  const file = await bundleForChild("lib/cli/void-codes.ts");
  const since = new Date().toISOString();
  const voidCodes = async (...more: string[]) => {
    const command = [file, "--since", since, ...more];
    return (await promisify(execFile)(process.execPath, command, { env: process.env })).stdout;
  };
  const states = async () => (await tenant.requests()).map(({ state }) => state);
  const own = ["--app", tenant.ctx.app.id];
  expect(await voidCodes(...own)).toMatch(/^None of the free codes/);
  const [made = "", unclear = "", later = ""] = [
    await tenant.request(),
    await tenant.request(17),
    await tenant.request(),
  ];
  const createdAt = new Date(Date.parse(since) - 1_000);
  const change = (id: string, values: Partial<typeof codeRequests.$inferInsert>) =>
    tenant.ctx.db.orm.update(codeRequests).set(values).where(eq(codeRequests.id, id));
  await advanceRequest(tenant.ctx, made, {
    ...tenant.work,
    checkpoint: (point) => {
      if (point === "before_import") throw new Error("the backup is taken now");
    },
  });
  await change(made, { createdAt });
  await change(unclear, { createdAt, state: "unclear" });
  await change(later, { createdAt: new Date(Date.now() + 1_000) });
  expect(await voidCodes(...own)).toContain("request for 17 codes of “One month free” would be given up");
  await expect(voidCodes("--app", crypto.randomUUID())).rejects.toMatchObject({ code: 1, stdout: "" });
  await expect(voidCodes("--app", "x")).rejects.toMatchObject({ stderr: "--app must be a UUID\n" });
  // The connections of this process are those of a running service.
  const running =
    /^Database: .*\nA service may still assign these codes: stop every instance, .* RECONNECT\.\n$/;
  await expect(voidCodes(...own, "--yes")).rejects.toMatchObject({ stderr: expect.stringMatching(running) });
  expect((await states()).sort()).toEqual(["asked", "made", "unclear"]);
  const given = await voidCodes(...own, "--yes", "--while-running");
  expect(given).toContain("request for 17 codes of “One month free” is given up");
  expect(given).toMatch(/\nImport new codes now\.\n$/);
  const trouble = "Given up after a restore: its codes may have been assigned.";
  const ended = { state: "given_up", trouble, leasedUntil: null, endedAt: expect.any(Date) };
  expect(await tenant.requests()).toMatchObject([ended, ended, { state: "asked" }]);
  await tenant.pass(0);
  await workOff(codeRequestQueue(database(), tenant.work));
  expect(await states()).toEqual(["given_up", "given_up", "imported"]);
  expect((await tenant.stored()).sort()).toEqual(apple.books.batches[1]?.codes.sort());
});
