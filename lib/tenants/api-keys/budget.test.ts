import { afterEach, describe, expect, test, vi } from "vitest";
import type { Db } from "@/lib/platform/db/client";
import { AppError } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";
import { clientOf, postToApi } from "@/lib/testing/client";
import { usePassingTime } from "@/lib/testing/clock";
import { statementsOf } from "@/lib/testing/database/statements";
import { persistently } from "@/lib/testing/parallel";
import { anotherProcess, type InProcess } from "@/lib/testing/processes/singletons";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { settleBudgets, spendBudget } from "./budget";
import { createKey } from "./create";
import { liftKeyLimits, updateKeyLimits } from "./limits";
import { listKeys } from "./list";
import { type KeyRecord, verifyKey } from "./verify";

useService();
const pass = usePassingTime();
afterEach(() => vi.useRealTimers());

async function tenantWithBudget(dailyBudget: number) {
  const tenant = await makeTenant({ codes: 40 });
  const { id, key } = await createKey(tenant.ctx, { name: "Phone", dailyBudget });
  const record = await verifyKey(tenant.ctx.db, key);
  if (!record) throw new Error("the key is not valid");
  return { tenant, id, key, record, api: clientOf(key) };
}

/** Requests of today that count, as the page of the keys shows them. */
async function budgetUsed({ ctx }: Tenant, id: string): Promise<number> {
  return (await listKeys(ctx)).find((key) => key.id === id)?.budgetUsed ?? -1;
}

describe("a daily budget", () => {
  test("passes exactly its requests, also when 64 come at once, and says when to come back", async () => {
    const { tenant, id, api } = await tenantWithBudget(40);
    // A busy machine answers some of them with 503, which counts nothing and may be retried.
    const persistent = () =>
      persistently(
        () => api.referrer("ann"),
        ({ status }) => status !== 503,
      );
    const replies = await Promise.all(Array.from({ length: 64 }, persistent));
    let passed = replies.filter(({ status }) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(40);
    // While a request that failed held its unit, another may have been refused.
    while ((await persistent()).status === 200) passed += 1;
    expect(passed).toBe(40);
    const refused = replies.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(refused?.body.error.message).toContain("daily budget");
    const reset = Number(refused?.headers.get("x-ratelimit-reset"));
    expect(reset % 86_400).toBe(0);
    const wait = Number(refused?.headers.get("retry-after"));
    expect(Math.abs(reset - Date.now() / 1_000 - wait)).toBeLessThan(60);
    expect(refused?.headers.get("x-ratelimit-limit")).toBe("40");
    expect(await budgetUsed(tenant, id)).toBe(40);
  });

  test("counts 4xx, and neither refusals by a limit nor errors of ours", async () => {
    const { tenant, id, key, api } = await tenantWithBudget(10);
    const { metacode } = (await api.referrer("ann")).body;
    expect((await postToApi("referrer", "{", key)).status).toBe(400);
    expect((await api.redeem("bob", "zzzzzzzz")).status).toBe(404);
    expect((await api.redeem("bob", "test503")).status).toBe(503);
    expect((await api.redeem("bob", metacode)).status).toBe(200);
    await settleBudgets(true, tenant.ctx.db);
    expect(await budgetUsed(tenant, id)).toBe(4);
  });

  test("costs a request of the money path no statement", async () => {
    const { api } = await tenantWithBudget(1_000);
    const { metacode } = (await api.referrer("ann")).body;
    await api.referrer("ann");
    const statements = await statementsOf(async () => {
      for (let n = 0; n < 30; n++) await api.redeem(`bob${n}`, metacode);
    });
    expect(statements.filter((text) => text.includes("redeem_metacode"))).toHaveLength(30);
    // Units are taken ahead, 50 at a time.
    expect(statements.filter((text) => text.includes("take_budget")).length).toBeLessThanOrEqual(2);
  });

  test("is settled when a refill is under way, too", async () => {
    const { tenant, id, record } = await tenantWithBudget(100);
    const { ctx } = tenant;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = { ...ctx.db, call: ((...args) => opened.then(() => ctx.db.call(...args))) as Db["call"] };
    const own = anotherProcess();
    await own(() => spendBudget({ ...ctx, db: slow }, record));
    const settled = own(() => settleBudgets(true, slow));
    open();
    await settled;
    expect(await budgetUsed(tenant, id)).toBe(1);
  });

  test("keeps the units and the credit of a process that could not reach the database, and those of its 5xx", async () => {
    const { tenant, id, record } = await tenantWithBudget(100);
    const { ctx } = tenant;
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const away = { ...ctx.db, call: (() => Promise.reject(refused)) as Db["call"] };
    const own = anotherProcess();
    // On credit, before the database has said when the day ends.
    const returnUnit = await own(() => spendBudget({ ...ctx, db: away }, record));
    await own(() => spendBudget(ctx, record));
    await vi.waitFor(async () => expect(await budgetUsed(tenant, id)).toBe(5), 60_000);
    returnUnit();
    await expect(own(() => settleBudgets(true, away))).rejects.toBe(refused);
    await own(() => settleBudgets(true, ctx.db));
    expect(await budgetUsed(tenant, id)).toBe(1);
  });

  test("is read again some seconds after it was used up, since another process may have returned units", async () => {
    const { tenant, record } = await tenantWithBudget(40);
    const { ctx } = tenant;
    const [own, other] = [anotherProcess(), anotherProcess()];
    const spends = () =>
      other(() => spendBudget(ctx, record)).then(
        () => true,
        () => false,
      );
    await own(() => spendBudget(ctx, record));
    while (await spends());
    await own(() => settleBudgets(true, ctx.db));
    pass(5_001);
    expect(await spends()).toBe(true);
  });

  test("gets the units of an idle process back, although its clock was set back", async () => {
    const { tenant, id, record } = await tenantWithBudget(1_000);
    const { ctx } = tenant;
    const own = anotherProcess();
    await own(() => spendBudget(ctx, record));
    await vi.waitFor(async () => expect(await budgetUsed(tenant, id)).toBe(50), 60_000);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    pass(3_001);
    await own(() => settleBudgets(false, ctx.db));
    vi.useRealTimers();
    expect(await budgetUsed(tenant, id)).toBe(1);
  });

  test("begins again with the next day, by the clock of the database", async () => {
    const { api } = await tenantWithBudget(1);
    expect((await api.referrer("ann")).status).toBe(200);
    expect((await api.referrer("ann")).status).toBe(429);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_400_000 });
    // A process whose clock is a day ahead asks the database, which knows better.
    expect((await api.referrer("ann")).status).toBe(429);
  });

  test.each([-86_400_000, 86_400_000])(
    "is shown and lifted on the database's day, %s ms beside that of a process",
    async (beside) => {
      const { tenant, id, api } = await tenantWithBudget(2);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + beside });
      for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
      expect(await budgetUsed(tenant, id)).toBe(2);
      await liftKeyLimits(tenant.ctx, { keyId: id });
      expect(await budgetUsed(tenant, id)).toBe(0);
      for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
    },
  );

  test("gets no units of the day before, which an idle process returns after midnight", async () => {
    const { tenant, id, record } = await tenantWithBudget(1_000);
    const { ctx } = tenant;
    /** The database before midnight: its day ended a day earlier. */
    const call = async (...args: Parameters<Db["call"]>) => {
      const answer = (await ctx.db.call(...args)) as { reset: number };
      return { ...answer, reset: answer.reset - 86_400 };
    };
    const [idle, busy] = [anotherProcess(), anotherProcess()];
    await idle(() => spendBudget({ ...ctx, db: { ...ctx.db, call: call as Db["call"] } }, record));
    await busy(() => spendBudget(ctx, record));
    await vi.waitFor(async () => expect(await budgetUsed(tenant, id)).toBe(100), 60_000);
    await idle(() => settleBudgets(true, ctx.db));
    await busy(() => settleBudgets(true, ctx.db));
    expect(await budgetUsed(tenant, id)).toBe(51);
  });

  test("can be raised in the middle of the day, and counts the day from its start", async () => {
    const { tenant, id, api } = await tenantWithBudget(2);
    for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
    await updateKeyLimits(tenant.ctx, { keyId: id, dailyBudget: 3, addressCap: null });
    for (const status of [200, 429]) expect((await api.referrer("ann")).status).toBe(status);
    await updateKeyLimits(tenant.ctx, { keyId: id, dailyBudget: null, addressCap: null });
    expect((await api.referrer("ann")).status).toBe(200);
  });

  test("is whole again when the limits of the key are lifted", async () => {
    const { tenant, id, api } = await tenantWithBudget(2);
    for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
    await liftKeyLimits(tenant.ctx, { keyId: id });
    for (const status of [200, 200, 429]) expect((await api.referrer("ann")).status).toBe(status);
  });
});

describe("a budget in several processes", () => {
  /** Spends with 4 workers until all are refused; returns how many passed. */
  async function exhaust(inProcess: InProcess, ctx: Context, key: KeyRecord, db: Db): Promise<number> {
    let passed = 0;
    const worker = async () => {
      while (passed < 2_000) {
        try {
          await inProcess(() => spendBudget({ ...ctx, db }, key));
          passed += 1;
        } catch (error) {
          if (error instanceof AppError && error.code === "RATE_LIMITED") return;
          throw error;
        }
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    return passed;
  }

  test("is exceeded by the credit of a process at most, and shows every request", async () => {
    const { tenant, id, record } = await tenantWithBudget(500);
    const { ctx } = tenant;
    const [first, second] = [anotherProcess(), anotherProcess()];
    const counts = await Promise.all([
      exhaust(first, ctx, record, ctx.db),
      exhaust(second, ctx, record, ctx.db),
    ]);
    const passed = counts[0] + counts[1];
    expect(passed).toBeGreaterThanOrEqual(400);
    expect(passed).toBeLessThanOrEqual(516);
    for (const own of [first, second]) await own(() => settleBudgets(true, ctx.db));
    expect(await budgetUsed(tenant, id)).toBe(passed);
  });

  test("fails like the request itself while the database is away", async () => {
    const { tenant, key } = await tenantWithBudget(500);
    const record = await verifyKey(tenant.ctx.db, key);
    if (!record) throw new Error("the key is not valid");
    const failing: Db = { ...tenant.ctx.db, call: () => Promise.reject(new Error("away")) };
    const own = anotherProcess();
    const spend = () => own(() => spendBudget({ ...tenant.ctx, db: failing }, record));
    const results = await Promise.allSettled(Array.from({ length: 20 }, spend));
    const failed = results.filter(({ status }) => status === "rejected");
    expect(failed).toHaveLength(12);
  });
});
