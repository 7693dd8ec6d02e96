import { afterEach, describe, expect, test, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { anotherProcess, type InProcess } from "@/lib/testing/processes";
import { usedBy, warningsOf } from "@/lib/testing/quota";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { Lease, nextMonth, returnUnused, shareOf } from "./lease";
import { meterFor } from "./meter";

useService();
afterEach(() => vi.useRealTimers());

/** One request's quota in a process: whether it was granted. */
async function ask(inProcess: InProcess, { ctx }: Tenant, limit: number): Promise<boolean> {
  const meter = inProcess(() => meterFor(ctx.db, ctx.app.id, ctx.workspace.id, limit));
  try {
    await meter.take();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "RATE_LIMITED") return false;
    throw error;
  }
}

/** Asks with 4 workers until all are refused; how many requests were granted. */
async function exhaust(inProcess: InProcess, tenant: Tenant, limit: number): Promise<number> {
  let granted = 0;
  const worker = async () => {
    // Bounded, so that a quota without an end fails the test instead of keeping it busy.
    while (granted <= limit && (await ask(inProcess, tenant, limit))) granted += 1;
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return granted;
}

const giveBackAll = (inProcess: InProcess, { ctx }: Tenant) => inProcess(() => returnUnused(true, ctx.db));

describe("shares of a quota", () => {
  test("are small, smaller near the end, and none on the small plans", () => {
    expect([shareOf(100_000, 100_000), shareOf(100_000, 500), shareOf(100_000, 199)]).toEqual([100, 5, 1]);
    expect(shareOf(1_000, 1_000)).toBeLessThan(2);
    expect(shareOf(10_000_000, 10_000_000)).toBe(100);
  });

  test("of two processes are never more than the quota, and together all of it", async () => {
    const limit = 5_000;
    const tenant = await makeTenant({ quota: limit });
    const [one, other] = [anotherProcess(), anotherProcess()];
    const first = await Promise.all([exhaust(one, tenant, limit), exhaust(other, tenant, limit)]);
    const granted = first[0] + first[1];
    expect(granted).toBeLessThanOrEqual(limit);
    await giveBackAll(one, tenant);
    await giveBackAll(other, tenant);
    expect(await usedBy(tenant)).toBe(granted);
    expect(granted + (await exhaust(one, tenant, limit))).toBe(limit);
    expect(await ask(other, tenant, limit)).toBe(false);
    expect(await warningsOf(tenant)).toEqual([80, 100]);
  });

  test("go back when the process is idle, not before", async () => {
    const tenant = await makeTenant();
    const own = anotherProcess();
    for (let request = 0; request < 3; request++) await ask(own, tenant, 100_000);
    await vi.waitUntil(async () => (await usedBy(tenant)) > 3);
    const ahead = await usedBy(tenant);
    await own(() => returnUnused(false, tenant.ctx.db));
    expect(await usedBy(tenant)).toBe(ahead);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_001 });
    await own(() => returnUnused(false, tenant.ctx.db));
    expect(await usedBy(tenant)).toBe(3);
  });
});

describe("warnings", () => {
  test("come once at 80 and once at 100 percent, though units come back in between", async () => {
    const tenant = await makeTenant({ plan: "free", quota: 10 });
    const own = anotherProcess();
    for (let request = 0; request < 7; request++) await ask(own, tenant, 10);
    expect(await warningsOf(tenant)).toEqual([]);
    for (let round = 0; round < 3; round++) {
      const { ctx } = tenant;
      const meter = own(() => meterFor(ctx.db, ctx.app.id, ctx.workspace.id, 10));
      await meter.take();
      meter.refund();
      await giveBackAll(own, tenant);
      expect(await usedBy(tenant)).toBe(7);
    }
    expect(await warningsOf(tenant)).toEqual([80]);
    await exhaust(own, tenant, 10);
    await Promise.all(Array.from({ length: 8 }, () => ask(own, tenant, 10)));
    expect(await warningsOf(tenant)).toEqual([80, 100]);
    await exhaust(own, tenant, 100);
    expect(await warningsOf(tenant)).toEqual([80, 100, 80, 100]);
  });
});

describe("when the month turns", () => {
  const reset = nextMonth();

  test("units of the old one are worth nothing", async () => {
    const { ctx } = await makeTenant();
    const lease = new Lease(ctx.workspace.id, 10);
    lease.units = 5;
    expect(lease.spend(ctx.db, ctx.app.id)).toBe(true);
    vi.useFakeTimers({ toFake: ["Date"], now: reset * 1000 });
    expect(lease.spend(ctx.db, ctx.app.id)).toBe(false);
    expect([lease.units, lease.left()]).toEqual([0, 10]);
    expect(lease.reset).toBeGreaterThan(reset);
    lease.giveBack(reset);
    lease.learn({ granted: 0, remaining: 0, reset });
    expect([lease.units, lease.left()]).toEqual([0, 10]);
  });

  test("a new one that the database saw first empties the share", () => {
    const lease = new Lease("none", 10);
    lease.units = 5;
    lease.learn({ granted: 1, remaining: 9, reset: reset + 31 * 86_400 });
    expect([lease.units, lease.left()]).toEqual([0, 9]);
  });
});
