import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_ADDRESS_CAP, PHONE_SCOPES, REDEEM_ONLY_SCOPES, SCOPES } from "@/lib/contract/api-key";
import { databaseTime } from "@/lib/platform/db/chunks";
import { apiKeys, auditLog, keyLimitRefusals } from "@/lib/platform/db/schema";
import { AppError } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";
import { postToApi } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createKey } from "./create";
import { revokeKey, rotateKey } from "./lifecycle";
import { liftKeyLimits, updateKeyLimits } from "./limits";
import { limitsInForce, listKeys } from "./list";
import { flushKeyRefusals, refuseByKey } from "./refusals";

useService({ KEY_INVALID_REQUESTS_PER_MINUTE: "2" });
afterEach(() => vi.useRealTimers());

const summaryOf = async (ctx: Context, id: string) => {
  const key = (await listKeys(ctx)).find((row) => row.id === id);
  if (!key) throw new Error("no such key");
  return key;
};

const auditOf = async ({ db, app }: Context, action: "api_key.limits_changed" | "api_key.limits_lifted") =>
  (await db.orm.select().from(auditLog).where(eq(auditLog.appId, app.id)))
    .filter((row) => row.action === action)
    .map(({ before, after, subjectName }) => ({ before, after, subjectName }));

/** Refuses a request of a key by one of its limits, until midnight for example. */
function refuseOnce(ctx: Context, id: string, limit: Parameters<typeof refuseByKey>[1]): void {
  const actor = { kind: "api_key", id, scopes: [], address: "", limitsId: id, addressCap: null } as const;
  const resetAt = Math.ceil(Date.now() / 1_000) + 3_600;
  const decision = { allowed: false, limit: 1, remaining: 0, resetAt, retryAfter: 3_600 };
  expect(() => refuseByKey({ ...ctx, actor }, limit, decision, "no")).toThrow(AppError);
}

describe("the limits of a new key", () => {
  test("cap an address where phones hold the key, except in a sandbox", async () => {
    const [live, sandbox] = [await makeTenant(), await makeTenant({ sandbox: true })];
    const capOf = async ({ ctx }: typeof live, input: Parameters<typeof createKey>[1]) =>
      (await summaryOf(ctx, (await createKey(ctx, input)).id)).addressCap;
    expect(await capOf(live, { name: "Server" })).toBeNull();
    expect(await capOf(live, { name: "Phone", scopes: [...PHONE_SCOPES] })).toBe(DEFAULT_ADDRESS_CAP);
    expect(await capOf(live, { name: "Redeem", scopes: [...REDEEM_ONLY_SCOPES] })).toBe(DEFAULT_ADDRESS_CAP);
    expect(await capOf(live, { name: "Own", scopes: [...PHONE_SCOPES], addressCap: null })).toBeNull();
    expect(await capOf(sandbox, { name: "Phone", scopes: [...PHONE_SCOPES] })).toBeNull();
  });

  test("include a budget of a tenth of the month where phones hold the key", async () => {
    const budgetOf = async (options: Parameters<typeof makeTenant>[0], input = {}) => {
      const { ctx } = await makeTenant(options);
      const { id } = await createKey(ctx, { name: "Phone", scopes: [...PHONE_SCOPES], ...input });
      return (await summaryOf(ctx, id)).dailyBudget;
    };
    expect(await budgetOf({ plan: "free" })).toBe(100);
    expect(await budgetOf({ plan: "pro" })).toBe(10_000);
    expect(await budgetOf({ plan: "pro", quota: 300 })).toBe(100);
    expect(await budgetOf({ plan: "enterprise" })).toBeNull();
    expect(await budgetOf({ plan: "free" }, { dailyBudget: 900 })).toBe(900);
    expect(await budgetOf({ plan: "free" }, { dailyBudget: null })).toBeNull();
    expect(await budgetOf({ plan: "free" }, { scopes: [...SCOPES] })).toBeNull();
    expect(await budgetOf({ plan: "free", sandbox: true })).toBeNull();
  });

  test("are those of the key that it replaces", async () => {
    const { ctx } = await makeTenant();
    const { id } = await createKey(ctx, { name: "Phone", dailyBudget: 500, addressCap: 7 });
    const next = await rotateKey(ctx, { keyId: id, grace: "24h" });
    expect(await summaryOf(ctx, next.id)).toMatchObject({ dailyBudget: 500, addressCap: 7 });
  });

  test("are whole numbers within bounds", async () => {
    const { ctx } = await makeTenant();
    for (const dailyBudget of [0, -1, 1.5, 100_000_001]) {
      await expect(createKey(ctx, { name: "x", dailyBudget })).rejects.toMatchObject({
        field: "dailyBudget",
      });
    }
  });
});

test("a change of the limits is audited, and an equal value is not", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone" });
  await updateKeyLimits(ctx, { keyId: id, dailyBudget: 100, addressCap: null });
  await updateKeyLimits(ctx, { keyId: id, dailyBudget: 100, addressCap: null });
  expect(await auditOf(ctx, "api_key.limits_changed")).toEqual([
    { before: { dailyBudget: null }, after: { dailyBudget: 100 }, subjectName: "Phone" },
  ]);
});

test("the page of a key shows the limit that is in force with its count, until an admin lifts it", async () => {
  const tenant = await makeTenant();
  const { ctx } = tenant;
  const { id, key } = await createKey(ctx, { name: "Phone" });
  const other = await createKey(ctx, { name: "Other" });
  const statuses: number[] = [];
  // Two in any minute, so that at least three of eight are refused wherever the minute turns.
  for (let n = 0; n < 8; n++) statuses.push((await postToApi("referrer", "{}", key)).status);
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThanOrEqual(3);
  await flushKeyRefusals(ctx.db);
  const [limit] = (await summaryOf(ctx, id)).limitsInForce;
  expect(limit).toMatchObject({ limit: "invalid_requests", refused });
  expect(limit?.until.getTime()).toBeGreaterThan(Date.now());
  expect((await summaryOf(ctx, other.id)).limitsInForce).toEqual([]);
  await liftKeyLimits(ctx, { keyId: id });
  expect((await summaryOf(ctx, id)).limitsInForce).toEqual([]);
  expect((await postToApi("referrer", "{}", key)).status).toBe(400);
  expect(await auditOf(ctx, "api_key.limits_lifted")).toEqual([
    { before: { limits: ["invalid_requests"] }, after: null, subjectName: "Phone" },
  ]);
});

test("refusals of a key add up over processes, and start again after an hour without any", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone" });
  for (let flush = 0; flush < 3; flush++) {
    for (let n = 0; n < 5; n++) refuseOnce(ctx, id, "burst");
    await flushKeyRefusals(ctx.db);
  }
  expect((await summaryOf(ctx, id)).limitsInForce).toMatchObject([{ limit: "burst", refused: 15 }]);
  await ctx.db.orm
    .update(keyLimitRefusals)
    .set({ lastAt: new Date(Date.now() - 61 * 60_000) })
    .where(eq(keyLimitRefusals.keyId, id));
  refuseOnce(ctx, id, "burst");
  await flushKeyRefusals(ctx.db);
  expect((await summaryOf(ctx, id)).limitsInForce).toMatchObject([{ limit: "burst", refused: 1 }]);
});

test.each([-7_200_000, 7_200_000])(
  "refusals of a process whose clock is %s ms off are noted by the database's",
  async (off) => {
    const { ctx } = await makeTenant();
    const { id } = await createKey(ctx, { name: "Phone" });
    const before = await databaseTime(ctx.db);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + off });
    refuseOnce(ctx, id, "burst");
    await flushKeyRefusals(ctx.db);
    vi.useRealTimers();
    const [row] = await limitsInForce(ctx);
    const at = row?.lastAt ?? new Date(0);
    expect(at.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(at.getTime()).toBeLessThanOrEqual((await databaseTime(ctx.db)).getTime());
    expect(row).toMatchObject({ since: at, until: new Date(at.getTime() + 3_600_000) });
  },
);

test("a lifted limit stays lifted, although refusals from before are written afterwards", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone" });
  const inForce = async () => (await summaryOf(ctx, id)).limitsInForce.map(({ limit }) => limit);
  refuseOnce(ctx, id, "burst");
  await liftKeyLimits(ctx, { keyId: id });
  await flushKeyRefusals(ctx.db);
  expect(await inForce()).toEqual([]);
  // Another machine refuses for up to five seconds more.
  refuseOnce(ctx, id, "daily_budget");
  await flushKeyRefusals(ctx.db);
  expect(await inForce()).toEqual([]);
  const { limitsLiftedAt } = apiKeys;
  const earlier = sql`${limitsLiftedAt} - interval '11 seconds'`;
  await ctx.db.orm.update(apiKeys).set({ limitsLiftedAt: earlier }).where(eq(apiKeys.id, id));
  expect(await inForce()).toEqual(["daily_budget"]);
});

test("a limit that was changed is no longer in force, and the others are", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone", dailyBudget: 10, addressCap: 5 });
  const inForce = async () => (await summaryOf(ctx, id)).limitsInForce.map(({ limit }) => limit);
  for (const limit of ["daily_budget", "codes_per_address", "burst"] as const) refuseOnce(ctx, id, limit);
  await flushKeyRefusals(ctx.db);
  refuseOnce(ctx, id, "daily_budget");
  await updateKeyLimits(ctx, { keyId: id, dailyBudget: 20, addressCap: 5 });
  await flushKeyRefusals(ctx.db);
  expect(await inForce()).toEqual(["burst", "codes_per_address"]);
  await updateKeyLimits(ctx, { keyId: id, dailyBudget: 20, addressCap: null });
  expect(await inForce()).toEqual(["burst"]);
});

test("a limit that was changed is not in force by what another machine refuses in the next ten seconds", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone", dailyBudget: 10, addressCap: 5 });
  const inForce = async () => (await summaryOf(ctx, id)).limitsInForce;
  const refuseBoth = async () => {
    for (const limit of ["codes_per_address", "daily_budget"] as const) refuseOnce(ctx, id, limit);
    await flushKeyRefusals(ctx.db);
  };
  await refuseBoth();
  await updateKeyLimits(ctx, { keyId: id, dailyBudget: 20, addressCap: 5 });
  await refuseBoth();
  expect(await inForce()).toMatchObject([{ limit: "codes_per_address", refused: 2 }]);
  const earlier = sql`now() - interval '11 seconds'`;
  await ctx.db.orm.update(keyLimitRefusals).set({ lastAt: earlier }).where(eq(keyLimitRefusals.keyId, id));
  await refuseBoth();
  expect(await inForce()).toMatchObject([{ refused: 3 }, { limit: "daily_budget", refused: 1 }]);
  await updateKeyLimits(ctx, { keyId: id, dailyBudget: 30, addressCap: 5 });
  await liftKeyLimits(ctx, { keyId: id });
  const lifted = { before: { limits: ["codes_per_address"] } };
  expect(await auditOf(ctx, "api_key.limits_lifted")).toMatchObject([lifted]);
});

test("a refusal whose limit ended while the database was away is none of now", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone" });
  refuseOnce(ctx, id, "burst");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await flushKeyRefusals(ctx.db);
  expect(await limitsInForce(ctx)).toEqual([]);
});

test("a daily budget ends with the day of the database, whatever this process's clock says", async () => {
  const { ctx } = await makeTenant();
  const { id } = await createKey(ctx, { name: "Phone" });
  const resetAt = Math.ceil(Date.now() / 1_000) + 60;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const actor = { kind: "api_key", id, scopes: [], address: "", limitsId: id, addressCap: null } as const;
  const decision = { allowed: false, limit: 1, remaining: 0, resetAt, retryAfter: 1 };
  expect(() => refuseByKey({ ...ctx, actor }, "daily_budget", decision, "no")).toThrow(AppError);
  await flushKeyRefusals(ctx.db);
  expect((await limitsInForce(ctx))[0]?.until).toEqual(new Date(resetAt * 1_000));
});

test("a key that works no longer has no limit in force", async () => {
  const { ctx } = await makeTenant();
  const [revoked, rotated] = [await createKey(ctx, { name: "A" }), await createKey(ctx, { name: "B" })];
  for (const { id } of [revoked, rotated]) refuseOnce(ctx, id, "daily_budget");
  await flushKeyRefusals(ctx.db);
  expect(await limitsInForce(ctx)).toHaveLength(2);
  await revokeKey(ctx, { keyId: revoked.id });
  await rotateKey(ctx, { keyId: rotated.id, grace: "now" });
  expect(await limitsInForce(ctx)).toEqual([]);
});

test("a revoked key and one of another app have no limits to change or lift", async () => {
  const [mine, other] = [await makeTenant(), await makeTenant()];
  const { id } = await createKey(mine.ctx, { name: "Phone" });
  const change = { keyId: id, dailyBudget: 5, addressCap: null };
  const missing = { code: "NOT_FOUND" };
  await expect(updateKeyLimits(other.ctx, change)).rejects.toMatchObject(missing);
  await expect(liftKeyLimits(other.ctx, { keyId: id })).rejects.toMatchObject(missing);
  await revokeKey(mine.ctx, { keyId: id });
  await expect(updateKeyLimits(mine.ctx, change)).rejects.toMatchObject(missing);
  await expect(liftKeyLimits(mine.ctx, { keyId: id })).rejects.toMatchObject(missing);
});
