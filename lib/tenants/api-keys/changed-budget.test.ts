import { describe, expect, test, vi } from "vitest";
import { isoDay } from "@/lib/contract/format";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import type { Db } from "@/lib/platform/db/client";
import { keyUsageDays } from "@/lib/platform/db/schema";
import { AppError } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { anotherProcess, type InProcess } from "@/lib/testing/processes/singletons";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { settleBudgets, spendBudget } from "./budget";
import { createKey } from "./create";
import { updateKeyLimits } from "./limits";
import { listKeys } from "./list";
import { type KeyRecord, verifyKey } from "./verify";

useService();

/** A key with a budget, or without one. */
async function keyWith(dailyBudget: number | null, options: Parameters<typeof makeTenant>[0] = {}) {
  const { ctx } = await makeTenant({ codes: 1, ...options });
  const { id, key } = await createKey(ctx, { name: "Phone", dailyBudget });
  const record = await verifyKey(ctx.db, key);
  if (!record) throw new Error("the key is not valid");
  const used = async () => (await listKeys(ctx)).find((row) => row.id === id)?.budgetUsed;
  const change = (limit: number) => updateKeyLimits(ctx, { keyId: id, dailyBudget: limit, addressCap: null });
  return { ctx, record, used, change, api: clientOf(key) };
}

/** Spends at most `most` requests one after another, until one is refused; returns how many passed. */
async function spendUpTo(most: number, own: InProcess, ctx: Context, key: KeyRecord): Promise<number> {
  for (let passed = 0; passed < most; passed++) {
    const refused = await own(() => spendBudget(ctx, key)).then(
      () => false,
      (error) => error instanceof AppError && error.code === "RATE_LIMITED",
    );
    if (refused) return passed;
  }
  return most;
}

test("a process that goes on after midnight keeps no units of the day before in hand", async () => {
  const { ctx, record, used } = await keyWith(100);
  /** The database before midnight: its day ended a day earlier. */
  const before = async (...args: Parameters<Db["call"]>) => {
    const answer = (await ctx.db.call(...args)) as { reset: number };
    return { ...answer, reset: answer.reset - 86_400 };
  };
  const own = anotherProcess();
  await own(() => spendBudget({ ...ctx, db: { ...ctx.db, call: before as Db["call"] } }, record));
  await expect.poll(used).toBe(5);
  expect(await spendUpTo(200, own, ctx, record)).toBe(95);
});

describe("a daily budget that is set in the middle of the day", () => {
  test.each(["before", "after"])("starts with the requests that count, written %s that", async (when) => {
    const { ctx, used, change, api } = await keyWith(null, { quota: 2 });
    const { metacode } = (await api.referrer("ann")).body;
    const statuses = [];
    for (const typed of ["test503", ...Array(7).fill(metacode)])
      statuses.push((await api.redeem("bob", typed)).status);
    expect(statuses).toEqual([503, 200, ...Array(6).fill(429)]);
    if (when === "before") await flushRequests();
    await change(10);
    expect((await api.referrer("ann")).status).toBe(429);
    await settleBudgets(true, ctx.db);
    await flushRequests();
    expect(await used()).toBe(2);
  });

  test("starts with the requests that the version before counted, errors of ours apart", async () => {
    const { ctx, record, used } = await keyWith(100);
    const counted = { requests: 5, refused: 1, failed: 2 };
    const row = { appId: ctx.app.id, keyId: record.id, day: isoDay(Date.now()), ...counted };
    await ctx.db.orm.insert(keyUsageDays).values(row);
    const own = anotherProcess();
    await own(() => spendBudget(ctx, record));
    await own(() => settleBudgets(true, ctx.db));
    expect(await used()).toBe(4);
  });
});

test("a daily budget that is removed for a while gets back the units that a process has taken ahead", async () => {
  const { ctx, record, used } = await keyWith(1_000);
  const own = anotherProcess();
  await own(() => spendBudget(ctx, record));
  await expect.poll(used).toBe(50);
  await own(() => spendBudget(ctx, { ...record, dailyBudget: null }));
  await own(() => settleBudgets(true, ctx.db));
  expect(await used()).toBe(1);
  await own(() => spendBudget(ctx, record));
  await own(() => settleBudgets(true, ctx.db));
  expect(await used()).toBe(2);
});

describe("a daily budget that is lowered", () => {
  test("takes back the units that a process has taken ahead, and passes what is left", async () => {
    const { ctx, used, change, api } = await keyWith(10_000);
    expect((await api.referrer("ann")).status).toBe(200);
    await expect.poll(used).toBe(100);
    await change(5);
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await api.referrer("ann")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    await settleBudgets(true, ctx.db);
    // The log counts none of them a second time.
    await flushRequests();
    expect(await used()).toBe(5);
  });

  test("takes back the units that are on their way, as well", async () => {
    const { ctx, record, used } = await keyWith(10_000);
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = { ...ctx.db, call: ((...args) => opened.then(() => ctx.db.call(...args))) as Db["call"] };
    const own = anotherProcess();
    await own(() => spendBudget({ ...ctx, db: slow }, record));
    const rest = spendUpTo(50, own, { ...ctx, db: slow }, { ...record, dailyBudget: 5 });
    open();
    expect(await rest).toBe(4);
    await own(() => settleBudgets(true, ctx.db));
    expect(await used()).toBe(5);
  });

  test("refuses a process, too, that does not know what others have spent", async () => {
    const { ctx, record, used } = await keyWith(1_000);
    const [quiet, busy] = [anotherProcess(), anotherProcess()];
    await quiet(() => spendBudget(ctx, record));
    await expect.poll(used).toBe(50);
    expect(await spendUpTo(300, busy, ctx, record)).toBe(300);
    const lowered = { ...record, dailyBudget: 100 };
    expect(await spendUpTo(60, quiet, ctx, lowered)).toBeLessThanOrEqual(8);
    expect(await spendUpTo(60, busy, ctx, lowered)).toBeLessThanOrEqual(8);
  });

  test("loses no units of a process that could not return them", async () => {
    const { ctx, record, used } = await keyWith(1_000);
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const away = { ...ctx.db, call: vi.fn(() => Promise.reject(refused)) };
    const own = anotherProcess();
    await own(() => spendBudget(ctx, record));
    await expect.poll(used).toBe(50);
    await own(() => spendBudget({ ...ctx, db: away }, { ...record, dailyBudget: 500 }));
    expect(away.call).toHaveBeenCalled();
    await expect(own(() => settleBudgets(true, away))).rejects.toBe(refused);
    await own(() => settleBudgets(true, ctx.db));
    expect(await used()).toBe(2);
  });

  test("stops the units, too, that could not be returned while it was lowered", async () => {
    const { ctx, record, used } = await keyWith(1_000);
    const own = anotherProcess();
    await own(() => spendBudget(ctx, record));
    await expect.poll(used).toBe(50);
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const away = { ...ctx.db, call: vi.fn(() => late) };
    const settling = own(() => settleBudgets(true, away));
    await expect.poll(() => away.call.mock.calls.length).toBe(1);
    const lowered = { ...record, dailyBudget: 5 };
    await own(() => spendBudget({ ...ctx, db: away }, lowered));
    fail(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    await expect(settling).rejects.toThrow("connect");
    expect(await spendUpTo(100, own, ctx, lowered)).toBeLessThanOrEqual(4);
  });
});
