import { afterEach, describe, expect, test, vi } from "vitest";
import { RequestBuffer } from "@/lib/outward/request-log/buffer";
import { LISTED_PER_SECOND } from "@/lib/outward/request-log/pending";
import { type Db, database } from "@/lib/platform/db/client";
import { CLOCK_START } from "@/lib/testing/clock";
import { answerMany, keyDays, logged, loggedRequests } from "@/lib/testing/requests";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();
afterEach(() => vi.useRealTimers());

describe("while many come", () => {
  test("the first requests of a second are listed, more of the refused ones, and the others are counted", async () => {
    const tenant = await makeTenant();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const buffer = new RequestBuffer(database);
    answerMany(buffer, tenant, 300);
    answerMany(buffer, tenant, 300, 409);
    await buffer.flush();
    const { passed, refused } = LISTED_PER_SECOND;
    const listed = await loggedRequests(tenant);
    expect(listed.filter(({ status }) => status === 200)).toHaveLength(passed);
    expect(listed.filter(({ status }) => status === 409)).toHaveLength(refused);
    expect(await keyDays(tenant)).toMatchObject([
      { requests: 600, refused: 300, unlisted: 600 - passed - refused },
    ]);
    vi.setSystemTime(Date.now() + 1_000);
    answerMany(buffer, tenant, 1);
    await buffer.flush();
    expect(await loggedRequests(tenant)).toHaveLength(passed + refused + 1);
  });

  test("another app's requests are stored separately", async () => {
    const [loud, quiet] = [await makeTenant(), await makeTenant()];
    const buffer = new RequestBuffer(database);
    answerMany(buffer, loud, 500);
    answerMany(buffer, quiet, 5);
    const call = vi.spyOn(database(), "call");
    await buffer.flush();
    const stored = call.mock.calls.filter(([{ name }]) => name === "store_requests");
    expect(stored.map(([, args]) => (args as { app?: string }).app)).toEqual([
      loud.ctx.app.id,
      quiet.ctx.app.id,
    ]);
    call.mockRestore();
    expect(await loggedRequests(quiet)).toHaveLength(5);
  });
});

/** A database whose next call fails, before or after taking effect. */
function breaking(when: "before" | "after"): { db: () => Db; repair(): void } {
  const real = database();
  const lost = Object.assign(new Error("lost"), { code: "ECONNRESET" });
  let broken = true;
  const call: Db["call"] = async (...args) => {
    if (when === "before") throw lost;
    await real.call(...args);
    throw lost;
  };
  return {
    db: () => (broken ? { ...real, call } : real),
    repair: () => {
      broken = false;
    },
  };
}

describe("while the database is away", () => {
  test.each(["before", "after"] as const)(
    "nothing is lost or counted twice: lost %s the write",
    async (when) => {
      const tenant = await makeTenant();
      const { db, repair } = breaking(when);
      const buffer = new RequestBuffer(db);
      answerMany(buffer, tenant, 4, 503);
      await buffer.flush();
      answerMany(buffer, tenant, 2);
      await buffer.flush();
      repair();
      await buffer.flush();
      await buffer.flush();
      expect(await loggedRequests(tenant)).toHaveLength(6);
      expect(await keyDays(tenant)).toMatchObject([{ requests: 6, failed: 4 }]);
    },
  );

  test("memory stays bounded, and the counts stay exact, even for late requests", async () => {
    const [tenant, late] = [await makeTenant(), await makeTenant()];
    const { db, repair } = breaking("before");
    const buffer = new RequestBuffer(db);
    vi.useFakeTimers({ toFake: ["Date"], now: CLOCK_START });
    for (let second = 0; second < 200; second += 1) {
      answerMany(buffer, tenant, 60, 503);
      vi.setSystemTime(Date.now() + 1_000);
      if (second === 0) await buffer.flush();
    }
    answerMany(buffer, late, 3);
    repair();
    await buffer.flush();
    await buffer.flush();
    const listed = (await loggedRequests(tenant)).length;
    expect(listed).toBeLessThanOrEqual(5_002);
    expect(await keyDays(tenant)).toMatchObject([
      { requests: 12_000, failed: 12_000, unlisted: 12_000 - listed },
    ]);
    expect(await keyDays(late)).toMatchObject([{ requests: 3, unlisted: 2 }]);
  });

  test("unwritable rows are given up, and do not block others", async () => {
    const tenant = await makeTenant();
    const buffer = new RequestBuffer(database);
    buffer.add({ id: "no-uuid", app: tenant.ctx.app }, logged(), { message: undefined, subject: undefined });
    await buffer.flush();
    answerMany(buffer, tenant, 1);
    await buffer.flush();
    expect(await loggedRequests(tenant)).toHaveLength(1);
  });
});
