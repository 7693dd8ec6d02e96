import { Readable } from "node:stream";
import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog, batches, codeRequests } from "@/lib/platform/db/schema";
import { deletePool } from "@/lib/program/pools/pools";
import { expiryIn, storeMidnight } from "@/lib/program/stores/expiry";
import { updateApp } from "@/lib/tenants/apps/update";
import { advanceRequest } from "@/lib/testing/app-store/advance";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { createdCodes, makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { createCodeRequest, giveUpCodeRequest } from "./create";
import { listCodeRequests } from "./overview";
import { updateRefillRule } from "./refill-rules";
import { codeRequestQueue } from "./run-due";
import { requestedThisQuarter } from "./usage";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

test("requested codes are created once, imported with offer and expiry, and assigned to referees", async () => {
  const { ctx, key, request, work, requests, stored, expiresOn } = await makeAppleTenant(apple);
  const id = await request(25);
  await workOff(codeRequestQueue(database(), work));
  expect(await requests()).toMatchObject([
    { id, state: "imported", imported: 25, trouble: null, storeId: "batch1" },
  ]);
  expect((await stored()).sort()).toEqual(createdCodes(apple).sort());
  const [batch] = await database().orm.select().from(batches).where(eq(batches.appId, ctx.app.id));
  expect(batch).toMatchObject({
    offer: "One month free",
    kind: "one_time",
    origin: "App Store Connect",
    size: 25,
  });
  expect(batch?.expiresAt).toEqual(storeMidnight(expiresOn));
  const client = clientOf(key);
  const { metacode } = (await client.referrer("anna")).body;
  expect(createdCodes(apple)).toContain((await client.redeem("bob", metacode)).body.code);
  expect(await listCodeRequests(ctx)).toMatchObject([
    { pool: "ios referee", state: "imported", batchId: batch?.id },
  ]);
});

test("the same form sent twice creates one request, and many workers order once", async () => {
  const { ctx, poolId, expiresOn, work, requests, stored } = await makeAppleTenant(apple);
  const requestId = crypto.randomUUID();
  const form = { requestId, poolId, offer: "subscription:offer1", amount: 50, expiresOn };
  await Promise.all([1, 2, 3].map(() => createCodeRequest(ctx, form)));
  await Promise.all(Array.from({ length: 6 }, () => advanceRequest(ctx, form.requestId, work)));
  expect(await requests()).toMatchObject([{ state: "imported", imported: 50, attempts: 1 }]);
  expect(apple.books.batches).toHaveLength(1);
  expect(await stored()).toHaveLength(50);
});

test("a form that was sent, changed and sent again is refused with what it has requested", async () => {
  const { ctx, poolId, pools, expiresOn, requests } = await makeAppleTenant(apple);
  const form = {
    requestId: crypto.randomUUID(),
    poolId,
    offer: "subscription:offer1",
    amount: 1_000,
    expiresOn,
  };
  await createCodeRequest(ctx, form);
  await createCodeRequest(ctx, form);
  const day = expiryIn(60, new Date());
  for (const change of [
    { amount: 5_000 },
    { offer: "subscription:offer3" },
    { poolId: pools.ios.reward },
    { expiresOn: day },
  ]) {
    await expect(createCodeRequest(ctx, { ...form, ...change })).rejects.toMatchObject({
      code: "CONFLICT",
      message:
        "This form has already requested 1,000 codes of “One month free”. Reload the page to request more",
    });
  }
  expect(await requests()).toMatchObject([{ amount: 1_000, offerId: "offer1", poolId, expiresOn }]);
});

test.each([
  [{ amount: 9 }, "amount"],
  [{ amount: 10_001 }, "amount"],
  [{ expiresOn: "2020-01-01" }, "expiresOn"],
  [{ expiresOn: "2099-01-01" }, "expiresOn"],
  [{ expiresOn: "soon" }, "expiresOn"],
  [{ offer: "subscription:nothing" }, "offer"],
  [{ offer: "subscription:offer2" }, "offer"],
  [{ offer: "../../v1" }, "offer"],
])("%j is refused before a request reaches the store", async (wrong, field) => {
  const { ctx, poolId, expiresOn, requests } = await makeAppleTenant(apple);
  const form = { poolId, offer: "subscription:offer1", amount: 20, expiresOn, ...wrong };
  await expect(createCodeRequest(ctx, form)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  expect(await requests()).toEqual([]);
});

test("only pools of the App Store and of the own app get codes", async () => {
  const [mine, other] = [await makeAppleTenant(apple), await makeAppleTenant(apple)];
  const form = { offer: "subscription:offer1", amount: 20, expiresOn: mine.expiresOn };
  const android = createCodeRequest(mine.ctx, { ...form, poolId: mine.pools.android.referee });
  await expect(android).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "poolId" });
  const foreign = createCodeRequest(mine.ctx, { ...form, poolId: other.poolId });
  await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND" });
  const id = await other.request();
  await expect(giveUpCodeRequest(mine.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await advanceRequest(mine.ctx, id, mine.work);
  expect(await other.requests()).toMatchObject([{ state: "asked", attempts: 0 }]);
});

test("a sandbox requests codes that only test purchases redeem", async () => {
  const { ctx, request, work } = await makeAppleTenant(apple, { sandbox: true });
  await advanceRequest(ctx, await request(), work);
  expect(apple.books.batches).toMatchObject([{ environment: "SANDBOX" }]);
});

test("a refusal ends the request with the store's reason, and no order is left open", async () => {
  const { ctx, request, work, requests } = await makeAppleTenant(apple);
  apple.faults.push({ at: /^POST/, how: { status: 409, detail: "The offer is full." } });
  await advanceRequest(ctx, await request(), work);
  expect(await requests()).toMatchObject([
    { state: "refused", postedAt: null, trouble: expect.stringContaining("The offer is full.") },
  ]);
});

test.each([
  ["a key that Apple rejects", { status: 401 }, /rejected the key/],
  ["a key without the role", { status: 403 }, /role Admin or App Manager/],
  ["a limit", { status: 429, headers: { "Retry-After": "900" } }, /limit is reached/],
])("%s leaves the request waiting, and it continues", async (_, how, trouble) => {
  const { ctx, request, work, requests, pass } = await makeAppleTenant(apple);
  apple.faults.push({ at: /^POST/, how });
  const id = await request();
  await advanceRequest(ctx, id, work);
  const [waiting] = await requests();
  expect(waiting).toMatchObject({ state: "asked", postedAt: null, trouble: expect.stringMatching(trouble) });
  expect(waiting?.dueAt.getTime()).toBeGreaterThan(Date.now() + 600_000);
  await workOff(codeRequestQueue(database(), work));
  expect(apple.books.batches).toHaveLength(0);
  await pass(0);
  await workOff(codeRequestQueue(database(), work));
  expect(await requests()).toMatchObject([{ state: "imported", trouble: null }]);
  expect(apple.books.batches).toHaveLength(1);
});

test("a file that is still being written, or was cut off, is fetched again and not imported in part", async () => {
  const { ctx, request, work, requests, pass, stored } = await makeAppleTenant(apple);
  apple.faults.push({ at: /values$/, how: "half" });
  await advanceRequest(ctx, await request(), work);
  expect(await requests()).toMatchObject([
    { state: "made", trouble: "Apple has written 10 of 20 codes so far." },
  ]);
  expect(await stored()).toEqual([]);
  apple.faults.push({ at: /values$/, how: { status: 200, detail: "Down for maintenance" } });
  await pass(0);
  await workOff(codeRequestQueue(database(), work));
  expect(await requests()).toMatchObject([{ state: "made", trouble: expect.stringMatching(/be read\.$/) }]);
  await updateApp(ctx, { appleAppId: "987654321" });
  await pass(0);
  await workOff(codeRequestQueue(database(), work));
  expect(await requests()).toMatchObject([{ state: "made", trouble: expect.stringMatching(/another app/) }]);
  await updateApp(ctx, { appleAppId: "1234567890" });
  await pass(0);
  await workOff(codeRequestQueue(database(), work));
  expect(await stored()).toHaveLength(20);
  expect(apple.books.batches).toHaveLength(1);
});

test("a file that is short for two hours is imported, and the request says so", async () => {
  const { ctx, request, work, requests, pass } = await makeAppleTenant(apple);
  apple.faults.push({ at: /values$/, how: "half" }, { at: /values$/, how: "half" });
  await advanceRequest(ctx, await request(), work);
  await pass(121);
  await workOff(codeRequestQueue(database(), work));
  const trouble = "Apple's file had 10 of 20 codes. Look for the others in App Store Connect.";
  expect(await requests()).toMatchObject([{ state: "imported", imported: 10, trouble }]);
});

test("codes that a person imported as a file in the meantime are not a failure", async () => {
  const { ctx, request, work, requests, pass, poolId } = await makeAppleTenant(apple);
  apple.faults.push({ at: /values$/, how: { status: 404 } });
  await advanceRequest(ctx, await request(), work);
  const { importCodes } = await import("@/lib/program/codes/import");
  const source = Readable.from([createdCodes(apple).join("\n")]);
  await importCodes(ctx, { poolId, kind: "one_time", source });
  await pass(0);
  await workOff(codeRequestQueue(database(), work));
  expect(await requests()).toMatchObject([
    { state: "imported", imported: 0, trouble: expect.stringMatching(/already has all/) },
  ]);
});

test("codes that expired before they arrived are refused, and count for the quarter in which Apple created them", async () => {
  const { ctx, request, work, pass } = await makeAppleTenant(apple);
  apple.faults.push({ at: /values$/, how: { status: 404 } });
  await advanceRequest(ctx, await request(), work);
  await database().orm.update(codeRequests).set({ expiresOn: "2026-01-01" });
  await pass(0);
  await workOff(codeRequestQueue(database(), work));
  expect(await requestedThisQuarter(ctx)).toBe(20);
});

test("a request given up sends no order, and the audit log has its actor", async () => {
  const { ctx, request, work, requests, poolId } = await makeAppleTenant(apple);
  const id = await request();
  await expect(deletePool(ctx, poolId)).rejects.toMatchObject({ code: "CONFLICT" });
  await giveUpCodeRequest(ctx, id);
  await expect(giveUpCodeRequest(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  await advanceRequest(ctx, id, work);
  expect(await requests()).toMatchObject([{ state: "given_up" }]);
  expect(apple.books.batches).toEqual([]);
  const log = await database()
    .orm.select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, ctx.app.id), eq(auditLog.subjectId, id)));
  expect(log.map(({ action }) => action)).toEqual(["code_request.asked", "code_request.given_up"]);
});

test("a reward that waits for another offer is promised the codes on their way of an offer that the person has not had", async () => {
  const tenant = await makeAppleTenant(apple);
  const { ctx, pools, key, expiresOn, requests } = tenant;
  const poolId = pools.ios.reward;
  const order = (offer: string) => createCodeRequest(ctx, { poolId, offer, amount: 20, expiresOn });
  const wait = async () => Number((await clientOf(key).claim("ann")).headers.get("retry-after"));
  await makeBatch(ctx, poolId, "ios", { size: 40, offer: "One month free" });
  await earnRewards(tenant, "ann", 2);
  expect((await clientOf(key).claim("ann")).status).toBe(200);
  await order("subscription:offer3");
  expect(await wait()).toBeLessThanOrEqual(300);
  await giveUpCodeRequest(ctx, (await requests()).at(-1)?.id ?? "");
  await order("subscription:offer1");
  expect(await wait()).toBe(3_600);
  // A refill with an offer that she has not had takes as long as usual, whatever the open request brings.
  const rule = { threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  await updateRefillRule(ctx, { ...rule, poolId, offer: "subscription:offer3" });
  const minutesAgo = { createdAt: sql`now() - interval '4 minutes'` };
  await ctx.db.orm.update(codeRequests).set(minutesAgo).where(eq(codeRequests.appId, ctx.app.id));
  expect(await wait()).toBe(300);
});
