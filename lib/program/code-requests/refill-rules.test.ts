import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { databaseClock } from "@/lib/platform/db/chunks";
import { database } from "@/lib/platform/db/client";
import { codeRequests, pools } from "@/lib/platform/db/schema";
import { stopRefill } from "@/lib/program/app-store-connect/refill-status";
import { updateIdentity } from "@/lib/program/app-store-connect/store-key";
import { createPool, deletePool } from "@/lib/program/pools/pools";
import { advanceRequest } from "@/lib/testing/app-store/advance";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { later } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { listOffers } from "./offers";
import { listRefillRules } from "./overview";
import { refillPools } from "./refill";
import { enableRefill, updateRefillRule } from "./refill-rules";
import { codeRequestQueue } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

const RULE = { offer: "subscription:offer1", threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };

test("a refill that begins while its pool is being deleted requests nothing, and neither waits for the other", async () => {
  const { ctx, requests } = await makeAppleTenant(apple);
  const { id: poolId } = await createPool(ctx, { platform: "ios", use: "reward", name: "Gifts" });
  await updateRefillRule(ctx, { ...RULE, poolId });
  const { refilling } = await ctx.db.transaction(async (db) => {
    // As the deletion does, which locks the pool, then deletes the rule.
    const own = and(eq(pools.appId, ctx.app.id), eq(pools.id, poolId));
    await db.orm.select().from(pools).where(own).for("update");
    const refilling = refillPools(ctx);
    await Promise.race([refilling, blockedBackends()]);
    await deletePool({ ...ctx, db }, poolId);
    return { refilling };
  });
  await refilling;
  expect(await requests()).toEqual([]);
});

test("codes that were already known stop the refill whose request ended another stop, too", async () => {
  const { ctx, poolId, requests } = await makeAppleTenant(apple);
  await updateRefillRule(ctx, { ...RULE, poolId });
  await stopRefill(ctx, poolId, "cap", "Your cap is reached.");
  await refillPools(ctx);
  const known = { state: "imported", imported: 0 } as const;
  await ctx.db.orm.update(codeRequests).set(known).where(eq(codeRequests.appId, ctx.app.id));
  await refillPools(ctx);
  expect(await requests()).toHaveLength(1);
});

test("another Apple ID forgets the offers of the former app and stops their refills, and nothing else does", async () => {
  const { ctx, poolId, requests } = await makeAppleTenant(apple);
  await updateRefillRule(ctx, { ...RULE, poolId });
  await updateIdentity(ctx, { name: "Other", appleAppId: ctx.app.appleAppId });
  expect(await listOffers(ctx)).not.toEqual([]);
  expect(await listRefillRules(ctx)).toMatchObject([{ stopped: null }]);
  // This machine's copy of the app may be older than another machine's change.
  const app = { ...ctx.app, appleAppId: "987654321" };
  await updateIdentity({ ...ctx, app }, { appleAppId: "987654321" });
  await refillPools(ctx);
  expect([await listOffers(ctx), await requests()]).toEqual([[], []]);
  expect(await listRefillRules(ctx)).toMatchObject([
    { stopped: "refused", stoppedBecause: expect.stringContaining("another Apple app ID") },
  ]);
});

test("a refill switched on again with an offer of the former app orders nothing, and says so", async () => {
  const { ctx, poolId, requests, work } = await makeAppleTenant(apple);
  await updateRefillRule(ctx, { ...RULE, poolId });
  await updateIdentity(ctx, { appleAppId: "987654321" });
  await enableRefill(ctx, poolId);
  await refillPools(ctx);
  await workOff(codeRequestQueue(database(), work));
  expect(apple.books.batches).toEqual([]);
  expect(await requests()).toMatchObject([{ state: "refused", postedAt: null }]);
  expect(await listRefillRules(ctx)).toMatchObject([
    {
      stopped: "refused",
      stoppedBecause: expect.stringMatching(/app's list.* or choose another one/),
      used: 0,
    },
  ]);
});

test("codes that Apple sends while the Apple ID is changed are not imported", async () => {
  const { ctx, request, requests, work, stored } = await makeAppleTenant(apple);
  const connect = async (scope: typeof ctx) => {
    const store = await work.connect(scope);
    const downloadCodes: typeof store.downloadCodes = async (...batch) => {
      const text = await store.downloadCodes(...batch);
      await updateIdentity(ctx, { appleAppId: "987654321" });
      return text;
    };
    return { ...store, downloadCodes };
  };
  await advanceRequest(ctx, await request(), { ...work, connect });
  expect([(await requests())[0]?.state, await stored()]).toEqual(["made", []]);
});

test("on a machine whose clock is ahead no refill is late early, and codes arrive at the time of the database", async () => {
  const { ctx, poolId, requests, work } = await makeAppleTenant(apple);
  await updateRefillRule(ctx, { ...RULE, poolId });
  await refillPools(ctx);
  const almostLate = { createdAt: later(codeRequests.createdAt, -86_280) };
  await ctx.db.orm.update(codeRequests).set(almostLate).where(eq(codeRequests.appId, ctx.app.id));
  const [clock, time, ahead] = [{ ...databaseClock() }, Date.now(), 5 * 60_000];
  onTestFinished(() => {
    vi.useRealTimers();
    Object.assign(databaseClock(), clock);
  });
  const base = time - performance.now();
  vi.useFakeTimers({ toFake: ["Date"], now: time + ahead });
  Object.assign(databaseClock(), { base, machine: base + ahead });
  await refillPools(ctx);
  expect((await listRefillRules(ctx))[0]?.stopped).toBeNull();
  await workOff(codeRequestQueue(database(), work));
  const [request] = await requests();
  expect([request?.state, Number(request?.endedAt) < time + ahead / 2]).toEqual(["imported", true]);
});
