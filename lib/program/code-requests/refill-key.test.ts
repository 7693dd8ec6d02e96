import { eq, like } from "drizzle-orm";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { watchApp } from "@/lib/outward/problems/watch";
import { database, openDatabase } from "@/lib/platform/db/client";
import { codeRequests, codes, emails } from "@/lib/platform/db/schema";
import { NO_KEY } from "@/lib/program/app-store-connect/connect";
import { stopRefill, updateKeyStatus } from "@/lib/program/app-store-connect/refill-status";
import { refreshOffers } from "@/lib/program/app-store-connect/refresh-offers";
import {
  deleteStoreKey,
  findStoreKeyView,
  updateIdentity,
  updateStoreKey,
} from "@/lib/program/app-store-connect/store-key";
import { StoreError } from "@/lib/program/stores/store-api";
import { advanceRequest } from "@/lib/testing/app-store/advance";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { later } from "@/lib/testing/clock";
import { blockedBackends } from "@/lib/testing/database/locks";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { joinAs } from "@/lib/testing/workspace";
import { giveUpCodeRequest } from "./create";
import { listRefillRules } from "./overview";
import { refillPools } from "./refill";
import { enableRefill, updateRefillRule } from "./refill-rules";
import { codeRequestQueue } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

/** A pool above the threshold of its refill, and a member who hears of problems. */
async function refilled() {
  const tenant = await makeAppleTenant(apple);
  const { ctx, poolId } = tenant;
  await joinAs(ctx.workspace.id, "owner", crypto.randomUUID());
  await makeBatch(ctx, poolId, "ios", { size: 9 });
  const rule = { poolId, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  await updateRefillRule(ctx, { ...rule, offer: "subscription:offer1" });
  const round = async () => {
    await refillPools(ctx);
    await tenant.pass(0);
    await workOff(codeRequestQueue(database(), tenant.work));
    await watchApp(ctx);
  };
  const drain = () => ctx.db.orm.update(codes).set({ status: "void" }).where(eq(codes.appId, ctx.app.id));
  const stopped = async () => (await listRefillRules(ctx))[0]?.stopped;
  const alerts = async () => {
    const all = await ctx.db.orm
      .select()
      .from(emails)
      .where(like(emails.text, `%${ctx.app.id}%`));
    return all.filter(({ subject }) => subject.includes("no longer refilled")).length;
  };
  return { ...tenant, round, drain, stopped, alerts };
}

test("a refill that was stopped by its key while nothing was requested tries the key, with one request and one email", async () => {
  const tenant = await refilled();
  apple.revoked = true;
  await expect(refreshOffers(tenant.ctx, tenant.work.connect)).rejects.toMatchObject({ code: "CONFLICT" });
  await tenant.round();
  expect([await tenant.stopped(), await tenant.requests(), await tenant.alerts()]).toEqual(["key", [], 1]);
  await tenant.drain();
  for (let n = 0; n < 3; n++) await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "asked", origin: "refill" }]);
  expect([await tenant.stopped(), await tenant.alerts()]).toEqual(["key", 1]);
  apple.revoked = false;
  await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "imported", imported: 20 }]);
  expect([await tenant.stopped(), await tenant.alerts()]).toEqual([null, 1]);
});

test("a pool is refilled by a service with one database connection, too", async () => {
  const tenant = await refilled();
  await tenant.drain();
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
  onTestFinished(() => db.close());
  await refillPools({ ...tenant.ctx, db });
  expect(await tenant.requests()).toMatchObject([{ state: "asked", origin: "refill" }]);
});

test("a pool is refilled although the refill of another one fails", async () => {
  const { ctx, poolId, pools, drain, requests } = await refilled();
  await drain();
  const settings = { threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  await updateRefillRule(ctx, { ...settings, poolId: pools.ios.reward, offer: "subscription:offer1" });
  const client = await database().pool.connect();
  onTestFinished(() => client.release());
  for (const locked of [poolId, pools.ios.reward]) {
    await client.query("begin");
    const rule = "select 1 from refill_rules where app_id = $1 and pool_id = $2 for update";
    await client.query(rule, [ctx.app.id, locked]);
    await expect(refillPools(ctx)).rejects.toThrow();
    await client.query("rollback");
  }
  expect((await requests()).map((row) => row.poolId).sort()).toEqual([poolId, pools.ios.reward].sort());
});

test("a refill that another Apple ID stops while it waits requests no codes of the former app", async () => {
  const { ctx, poolId, drain, requests, stopped } = await refilled();
  await drain();
  const client = await database().pool.connect();
  onTestFinished(() => client.release());
  await client.query("begin");
  await client.query("select 1 from pools where app_id = $1 and id = $2 for update", [ctx.app.id, poolId]);
  const refilling = refillPools(ctx);
  await blockedBackends();
  await updateIdentity(ctx, { appleAppId: "987654321" });
  await client.query("rollback");
  await refilling;
  expect([await stopped(), await requests()]).toEqual(["refused", []]);
});

test("an order whose response was lost is not sent again for another Apple ID, but for the former one with its offers", async () => {
  const { ctx, request, requests, work, pass, stored } = await makeAppleTenant(apple);
  apple.faults.push({ at: /^POST/, how: "unheard" });
  await advanceRequest(ctx, await request(), work);
  await updateIdentity(ctx, { appleAppId: "987654321" });
  await updateStoreKey(ctx, apple.key);
  await pass(20);
  await workOff(codeRequestQueue(database(), work));
  expect(apple.books.batches).toEqual([]);
  expect(await requests()).toMatchObject([{ state: "asked", trouble: expect.stringMatching(/app's list/) }]);
  await updateIdentity(ctx, { appleAppId: "1234567890" });
  await refreshOffers(ctx, work.connect);
  await workOff(codeRequestQueue(database(), work));
  expect([(await requests())[0]?.state, (await stored()).length]).toEqual(["imported", 20]);
});

test("codes that Apple creates while the Apple ID is changed are not imported for the other app, even if no link names theirs", async () => {
  const { ctx, request, requests, work, pass, stored } = await makeAppleTenant(apple);
  const connect = async (scope: typeof ctx) => {
    const store = await work.connect(scope);
    const createBatch: typeof store.createBatch = async (...order) => {
      const batch = await store.createBatch(...order);
      await updateIdentity(ctx, { appleAppId: "987654321" });
      return batch;
    };
    const downloadCodes: typeof store.downloadCodes = async (...batch) =>
      (await store.downloadCodes(...batch)).replace(/,.*/g, "");
    return { ...store, createBatch, downloadCodes };
  };
  await advanceRequest(ctx, await request(), { ...work, connect });
  await pass(0);
  await workOff(codeRequestQueue(database(), { ...work, connect }));
  expect(await requests()).toMatchObject([{ state: "made", trouble: expect.stringMatching(/another app/) }]);
  expect([apple.books.batches.length, await stored()]).toEqual([1, []]);
});

test("without a stored key nothing is requested and the refill says so, until another key is stored", async () => {
  const tenant = await refilled();
  await deleteStoreKey(tenant.ctx);
  await tenant.drain();
  await tenant.round();
  expect([await tenant.stopped(), await tenant.requests()]).toEqual(["key", []]);
  await enableRefill(tenant.ctx, tenant.poolId);
  await tenant.round();
  expect([await tenant.stopped(), await tenant.requests()]).toEqual(["key", []]);
  await updateStoreKey(tenant.ctx, apple.key);
  // As by a check that had not seen the new key.
  await stopRefill(tenant.ctx, tenant.poolId, "key", NO_KEY);
  await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "imported" }]);
  expect(await tenant.stopped()).toBe(null);
  await tenant.drain().then(() => refillPools(tenant.ctx));
  const connect = async () => {
    await updateStoreKey(tenant.ctx, apple.key);
    throw new StoreError("key", "Apple rejected the former key.");
  };
  for (const work of [{ ...tenant.work, connect }, tenant.work])
    await workOff(codeRequestQueue(database(), work));
  expect(await tenant.requests()).toMatchObject([{ state: "imported" }, { state: "imported" }]);
});

test.each(["accepts", "refuses"])(
  "an order that Apple %s with a former key shows nothing of the new key",
  async (how) => {
    const tenant = await refilled();
    await tenant.drain().then(() => refillPools(tenant.ctx));
    if (how === "refuses") apple.faults.push({ at: /^POST/, how: { status: 409 } });
    const connect = async (scope: typeof tenant.ctx) => {
      const store = await tenant.work.connect(scope);
      await updateStoreKey(tenant.ctx, apple.key);
      await updateKeyStatus(tenant.ctx, "Apple rejected the new key.");
      return store;
    };
    await workOff(codeRequestQueue(database(), { ...tenant.work, connect }));
    expect(await tenant.requests()).toMatchObject([{ state: how === "accepts" ? "imported" : "refused" }]);
    expect(await findStoreKeyView(tenant.ctx)).toMatchObject({ trouble: "Apple rejected the new key." });
    expect(await tenant.stopped()).toBe("key");
  },
);

test("an order that Apple refuses shows that the key is accepted: the refill has that reason", async () => {
  const tenant = await refilled();
  apple.revoked = true;
  await tenant.drain();
  await tenant.round();
  expect(await tenant.stopped()).toBe("key");
  await giveUpCodeRequest(tenant.ctx, (await tenant.requests())[0]?.id ?? "");
  apple.revoked = false;
  apple.faults.push({ at: /^POST/, how: { status: 409 } });
  await tenant.round();
  expect(await tenant.stopped()).toBe("refused");
  await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "given_up" }, { state: "refused" }]);
});

test("a request that is given up counts towards the cap only if its order was sent", async () => {
  const tenant = await refilled();
  const used = async () => (await listRefillRules(tenant.ctx))[0]?.used;
  await tenant.drain();
  apple.revoked = true;
  await tenant.round();
  await giveUpCodeRequest(tenant.ctx, (await tenant.requests())[0]?.id ?? "");
  expect(await used()).toBe(0);
  apple.revoked = false;
  apple.faults.push({ at: /^POST/, how: "lost" });
  await tenant.round();
  await giveUpCodeRequest(tenant.ctx, (await tenant.requests())[1]?.id ?? "");
  expect(await used()).toBe(20);
});

test("a cap stops the refill for its quarter only, also while the pool is above the threshold in the next", async () => {
  const tenant = await refilled();
  for (let n = 0; n < 3; n++) {
    await tenant.drain();
    await tenant.round();
  }
  await makeBatch(tenant.ctx, tenant.poolId, "ios", { size: 9 });
  await tenant.round();
  expect([await tenant.stopped(), await tenant.alerts()]).toEqual(["cap", 1]);
  await tenant.ctx.db.orm
    .update(codeRequests)
    .set({ createdAt: later(codeRequests.createdAt, -93 * 86_400) })
    .where(eq(codeRequests.appId, tenant.ctx.app.id));
  await tenant.round();
  expect([await tenant.stopped(), await tenant.alerts()]).toEqual([null, 1]);
  expect(await tenant.requests()).toHaveLength(2);
});
