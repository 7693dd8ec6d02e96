import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { QUOTA_WARN_PERCENT } from "@/lib/contract/quota";
import { type Db, openDatabase } from "@/lib/platform/db/client";
import { AppError, fail } from "@/lib/platform/errors";
import { usePassingTime } from "@/lib/testing/clock";
import { anotherProcess, type InProcess } from "@/lib/testing/processes/singletons";
import { usedBy, warningsOf } from "@/lib/testing/quota";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { Lease, leaseOf, nextMonth, returnUnused, shareOf } from "./lease";
import { meterFor } from "./meter";

useService();
const pass = usePassingTime();
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

/** Sends requests with 4 workers until all are refused; returns the number of granted requests. */
async function exhaust(inProcess: InProcess, tenant: Tenant, limit: number): Promise<number> {
  let granted = 0;
  const worker = async () => {
    // Bounded, so that an endless quota fails the test instead of keeping it busy.
    while (granted <= limit && (await ask(inProcess, tenant, limit))) granted += 1;
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return granted;
}

/** The lease of a process once it has units: the database has counted them shortly before their process knows. */
async function shareArrived(inProcess: InProcess, { ctx }: Tenant): Promise<Lease> {
  const lease = inProcess(() => leaseOf(ctx.workspace.id, 100_000));
  await vi.waitUntil(() => lease.units > 0, { timeout: 60_000 });
  return lease;
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
    const [first, second] = [anotherProcess(), anotherProcess()];
    const counts = await Promise.all([exhaust(first, tenant, limit), exhaust(second, tenant, limit)]);
    const granted = counts[0] + counts[1];
    expect(granted).toBeLessThanOrEqual(limit);
    await giveBackAll(first, tenant);
    await giveBackAll(second, tenant);
    expect(await usedBy(tenant)).toBe(granted);
    expect(granted + (await exhaust(first, tenant, limit))).toBe(limit);
    expect(await ask(second, tenant, limit)).toBe(false);
    expect(await warningsOf(tenant)).toEqual([QUOTA_WARN_PERCENT, 100]);
  });

  test("go back when the process is idle, not before, although its clock was set back meanwhile", async () => {
    const tenant = await makeTenant();
    const own = anotherProcess();
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    for (let request = 0; request < 3; request++) await ask(own, tenant, 100_000);
    await shareArrived(own, tenant);
    const ahead = await usedBy(tenant);
    expect(ahead).toBeGreaterThan(3);
    await own(() => returnUnused(false, tenant.ctx.db));
    expect(await usedBy(tenant)).toBe(ahead);
    vi.setSystemTime(Date.now() - 3_600_000);
    pass(3_001);
    await own(() => returnUnused(false, tenant.ctx.db));
    expect(await usedBy(tenant)).toBe(3);
  });
});

describe("units that cannot be returned", () => {
  let own: InProcess;
  beforeEach(() => {
    own = anotherProcess();
  });
  const share = (workspaceId: string) => {
    const lease = own(() => leaseOf(workspaceId, 100_000));
    lease.units = 50;
    return lease;
  };
  const failing = async (db: Db, call: () => Promise<never>) =>
    expect(own(() => returnUnused(true, { ...db, call }))).rejects.toThrow();

  test("stay if the database was not reached, while those of other workspaces are returned", async () => {
    const tenants = [await makeTenant(), await makeTenant()];
    const leases = await Promise.all(
      tenants.map(async (tenant) => {
        await ask(own, tenant, 100_000);
        return shareArrived(own, tenant);
      }),
    );
    const used = await Promise.all(tenants.map(usedBy));
    const units = leases.map((lease) => lease.units);
    const { db } = tenants[0]?.ctx ?? fail("NOT_FOUND");
    const away = openDatabase({ url: "postgres://unknown@127.0.0.1:1/nothing" });
    await expect(own(() => returnUnused(true, away))).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(leases.map((lease) => lease.units)).toEqual(units);
    let calls = 0;
    const call: Db["call"] = (...args) => (calls++ === 0 ? away : db).call(...args);
    await expect(own(() => returnUnused(true, { ...db, call }))).rejects.toThrow();
    expect(leases.map((lease) => lease.units)).toEqual([units[0], 0]);
    await own(() => returnUnused(true, db));
    expect(await Promise.all(tenants.map(usedBy))).toEqual(used.map((count, at) => count - (units[at] ?? 0)));
  });

  test("are dropped when it is unknown whether they were returned", async () => {
    const { ctx } = await makeTenant();
    const lease = share(ctx.workspace.id);
    await failing(ctx.db, () => Promise.reject(new Error("Connection terminated unexpectedly")));
    expect(lease.units).toBe(0);
  });

  test("are worth nothing once the month has turned meanwhile", async () => {
    const { ctx } = await makeTenant();
    const lease = share(ctx.workspace.id);
    await failing(ctx.db, () => {
      lease.update({ granted: 1, remaining: 9, reset: lease.reset + 31 * 86_400 });
      return Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    });
    expect([lease.units, lease.remaining]).toEqual([0, 9]);
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
    expect(await warningsOf(tenant)).toEqual([QUOTA_WARN_PERCENT]);
    await exhaust(own, tenant, 10);
    await Promise.all(Array.from({ length: 8 }, () => ask(own, tenant, 10)));
    expect(await warningsOf(tenant)).toEqual([QUOTA_WARN_PERCENT, 100]);
    await exhaust(own, tenant, 100);
    expect(await warningsOf(tenant)).toEqual([QUOTA_WARN_PERCENT, 100, QUOTA_WARN_PERCENT, 100]);
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
    lease.update({ granted: 0, remaining: 0, reset });
    expect([lease.units, lease.left()]).toEqual([0, 10]);
  });

  test("a process whose clock is ahead takes no share of the month that it does not use", async () => {
    const tenant = await makeTenant();
    const own = anotherProcess();
    vi.useFakeTimers({ toFake: ["Date"], now: reset * 1000 + 1_000 });
    for (let request = 0; request < 3; request++) expect(await ask(own, tenant, 100_000)).toBe(true);
    await vi.waitFor(async () => expect(await usedBy(tenant)).toBe(3), 60_000);
  });

  test("a process whose clock was ahead follows the database again once the clock is right", async () => {
    const tenant = await makeTenant();
    const own = anotherProcess();
    vi.useFakeTimers({ toFake: ["Date"], now: reset * 1000 + 1_000 });
    expect(await ask(own, tenant, 1_000)).toBe(true);
    vi.useRealTimers();
    const { ctx } = tenant;
    const meter = own(() => meterFor(ctx.db, ctx.app.id, ctx.workspace.id, 1_000));
    await meter.take();
    expect(meter.state()).toEqual({ limit: 1_000, remaining: 998, reset });
    meter.refund();
    await giveBackAll(own, tenant);
    expect(await usedBy(tenant)).toBe(1);
  });

  test("a new month that the database saw first empties the share", () => {
    const lease = new Lease("none", 10);
    lease.units = 5;
    lease.update({ granted: 1, remaining: 9, reset: reset + 31 * 86_400 });
    expect([lease.units, lease.left()]).toEqual([0, 9]);
  });
});
