import { and, eq, like, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchApp } from "@/lib/outward/problems/watch";
import { database } from "@/lib/platform/db/client";
import { auditLog, codeRequests, emails, refillRules } from "@/lib/platform/db/schema";
import { deleteStoreKey, updateStoreKey } from "@/lib/program/app-store-connect/store-key";
import type { Context } from "@/lib/tenants/context";
import { type AppleServer, makeAppleKey, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { later } from "@/lib/testing/clock";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { joinAs } from "@/lib/testing/workspace";
import { listRefillRules } from "./overview";
import { refillPools } from "./refill";
import { deleteRefillRule, disableRefill, enableRefill, updateRefillRule } from "./refill-rules";
import { codeRequestQueue } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

/** A pool of four codes with a refill of 20 at 5 or fewer, at most 50 per quarter. */
async function refilled(change: object = {}) {
  const tenant = await makeAppleTenant(apple);
  const owner = await joinAs(tenant.ctx.workspace.id, "owner", crypto.randomUUID());
  await makeBatch(tenant.ctx, tenant.poolId, "ios", { size: 4 });
  const offer = "subscription:offer1";
  const rule = { poolId: tenant.poolId, offer, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 };
  const save = (more: object = {}) => updateRefillRule(tenant.ctx, { ...rule, ...change, ...more });
  await save();
  const round = async () => {
    await Promise.all([refillPools(tenant.ctx), refillPools(tenant.ctx), refillPools(tenant.ctx)]);
    await tenant.pass(0);
    await workOff(codeRequestQueue(database(), tenant.work));
    await watchApp(tenant.ctx);
  };
  const drain = () =>
    database().orm.execute(sql`update codes set status = 'void' where app_id = ${tenant.ctx.app.id}`);
  const age = (seconds: number) =>
    database()
      .orm.update(codeRequests)
      .set({ createdAt: later(codeRequests.createdAt, -seconds) })
      .where(eq(codeRequests.appId, tenant.ctx.app.id));
  const rules = async () => (await listRefillRules(tenant.ctx))[0];
  return { ...tenant, owner, save, round, drain, age, rules };
}

/** Emails about refills of the app. */
const refillEmails = ({ app }: Context) =>
  database()
    .orm.select({ subject: emails.subject, text: emails.text })
    .from(emails)
    .where(and(like(emails.subject, "%no longer refilled%"), like(emails.text, `%${app.id}%`)));

test("a pool at its threshold is refilled once by many processes at once", async () => {
  const tenant = await refilled();
  await tenant.round();
  await tenant.round();
  expect(await tenant.requests()).toMatchObject([
    { origin: "refill", state: "imported", imported: 20, amount: 20 },
  ]);
  expect(apple.books.batches).toHaveLength(1);
  expect(await tenant.rules()).toMatchObject({ used: 20, stopped: null });
});

test("above its threshold nothing is requested", async () => {
  const tenant = await refilled({ threshold: 3 });
  await tenant.round();
  expect(await tenant.requests()).toEqual([]);
});

test("while a refill is under way no other starts, and after a day without codes members are notified", async () => {
  const tenant = await refilled();
  for (let n = 0; n < 3; n++) {
    apple.faults.push({ at: /^POST/, how: { status: 429, headers: { "Retry-After": "60" } } });
    await tenant.round();
    if (n === 1) await tenant.age(90_000);
  }
  expect(await tenant.requests()).toHaveLength(1);
  expect(await tenant.rules()).toMatchObject({ stopped: "late" });
  for (let n = 0; n < 2; n++) await tenant.round();
  expect(await tenant.rules()).toMatchObject({ stopped: null, used: 20 });
  const [email] = await refillEmails(tenant.ctx);
  expect(email?.text).toContain("have not arrived");
});

test("the cap stops the refill with a reason and one email, and a higher cap resumes it", async () => {
  const tenant = await refilled();
  for (let n = 0; n < 4; n++) {
    await tenant.round();
    await tenant.drain();
  }
  expect(apple.books.batches).toHaveLength(2);
  expect(await tenant.rules()).toMatchObject({
    stopped: "cap",
    stoppedBecause: "Your cap is reached: 40 of 50 codes were requested this quarter, and a refill is 20.",
  });
  const [email, ...more] = await refillEmails(tenant.ctx);
  expect([email?.text, more]).toEqual([expect.stringContaining("Your cap is reached"), []]);
  await tenant.save({ quarterCap: 60 });
  await tenant.round();
  expect(apple.books.batches).toHaveLength(3);
  expect(await tenant.rules()).toMatchObject({ stopped: null, used: 60 });
  await tenant.drain();
  await tenant.round();
  // Resumed: the next stop is emailed again.
  expect(await refillEmails(tenant.ctx)).toHaveLength(2);
});

test("a new quarter lifts the cap", async () => {
  const tenant = await refilled({ quarterCap: 20 });
  await tenant.round();
  await tenant.drain();
  await tenant.round();
  expect(await tenant.rules()).toMatchObject({ stopped: "cap" });
  await tenant.age(93 * 86_400);
  await tenant.round();
  expect(apple.books.batches).toHaveLength(2);
  expect(await tenant.rules()).toMatchObject({ stopped: null, used: 20 });
});

test("Apple's limit per quarter stops the refill, too", async () => {
  const tenant = await refilled();
  const made = {
    appId: tenant.ctx.app.id,
    poolId: tenant.poolId,
    origin: "person",
    offerType: "subscription",
  } as const;
  const rows = Array.from({ length: 100 }, () => ({
    ...made,
    id: crypto.randomUUID(),
    batchId: crypto.randomUUID(),
    offerId: "offer1",
    offerName: "x",
    amount: 10_000,
    expiresOn: tenant.expiresOn,
    state: "imported" as const,
  }));
  await database().orm.insert(codeRequests).values(rows);
  await tenant.round();
  expect(await tenant.rules()).toMatchObject({ stopped: "store_limit" });
  expect(apple.books.batches).toEqual([]);
});

test("a rejected key stops the refill with one email; a new key resumes the same refill", async () => {
  const tenant = await refilled();
  apple.revoked = true;
  await tenant.round();
  await tenant.round();
  expect(await tenant.rules()).toMatchObject({
    stopped: "key",
    stoppedBecause: expect.stringMatching(/^Apple rejected the key/),
  });
  expect(await refillEmails(tenant.ctx)).toHaveLength(1);
  apple.revoked = false;
  await updateStoreKey(tenant.ctx, apple.key);
  expect(await tenant.rules()).toMatchObject({ stopped: null });
  await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "imported" }]);
  expect(apple.books.batches).toHaveLength(1);
});

test("a key that Apple accepts again resumes the refill; a removed key stops it", async () => {
  const tenant = await refilled();
  apple.revoked = true;
  await tenant.round();
  apple.revoked = false;
  await tenant.round();
  expect(await tenant.rules()).toMatchObject({ stopped: null });
  await deleteStoreKey(tenant.ctx);
  expect(await tenant.rules()).toMatchObject({
    stopped: "key",
    stoppedBecause: expect.stringMatching(/removed/),
  });
  const other = { ...apple.key, privateKey: makeAppleKey().privateKey };
  await updateStoreKey(tenant.ctx, other);
  expect(await tenant.rules()).toMatchObject({ stopped: null });
});

test("a rejected request stops the refill until it is enabled again", async () => {
  const tenant = await refilled();
  apple.faults.push({ at: /^POST/, how: { status: 409, detail: "The offer has ended." } });
  for (let n = 0; n < 3; n++) await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "refused" }]);
  expect(await tenant.rules()).toMatchObject({
    stopped: "refused",
    stoppedBecause: expect.stringContaining("The offer has ended."),
  });
  expect(await refillEmails(tenant.ctx)).toHaveLength(1);
  await enableRefill(tenant.ctx, tenant.poolId);
  await tenant.round();
  expect(await tenant.requests()).toMatchObject([{ state: "refused" }, { state: "imported" }]);
  await tenant.drain().then(() => refillPools(tenant.ctx));
  await tenant.save({ offer: "subscription:offer3" });
  apple.faults.push({ at: /^POST/, how: { status: 409 } });
  await tenant.round();
  expect(await tenant.rules()).toMatchObject({ stopped: null });
});

test("a refill that died between the refusal and the stop is stopped by the next round", async () => {
  const tenant = await refilled();
  apple.faults.push({ at: /^POST/, how: { status: 409 } });
  await tenant.round();
  await database()
    .orm.update(refillRules)
    .set({ stopped: null })
    .where(eq(refillRules.appId, tenant.ctx.app.id));
  await tenant.round();
  expect(await tenant.rules()).toMatchObject({ stopped: "refused" });
  expect(await tenant.requests()).toHaveLength(1);
});

test("disabled or deleted, the rule requests nothing; each change is in the audit log", async () => {
  const tenant = await refilled();
  await disableRefill(tenant.ctx, tenant.poolId);
  await tenant.round();
  await tenant.save({ threshold: 3 });
  await deleteRefillRule(tenant.ctx, tenant.poolId);
  await expect(deleteRefillRule(tenant.ctx, tenant.poolId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await tenant.round();
  expect(await tenant.requests()).toEqual([]);
  const log = await database()
    .orm.select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, tenant.ctx.app.id), like(auditLog.action, "refill.%")))
    .orderBy(auditLog.id);
  expect(log.map(({ action }) => action.slice(7))).toEqual(["set", "switched_off", "changed", "removed"]);
  expect(log[2]).toMatchObject({
    before: { threshold: 5, enabled: false },
    after: { threshold: 3, enabled: true },
  });
});

test.each([
  [{ quarterCap: 10 }, "quarterCap"],
  [{ amount: 5 }, "amount"],
  [{ validDays: 181 }, "validDays"],
  [{ threshold: -1 }, "threshold"],
  [{ offer: "subscription:offer2" }, "offer"],
])("the rule %j is refused", async (wrong, field) => {
  const tenant = await refilled();
  await expect(tenant.save(wrong)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
});
