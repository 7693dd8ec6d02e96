import { and, eq, like, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeStoreKey } from "@/lib/app-store-connect/remove-key";
import { saveStoreKey } from "@/lib/app-store-connect/save-key";
import type { Context } from "@/lib/context";
import { database } from "@/lib/db/client";
import { auditLog, codeRequests, mails, refillRules } from "@/lib/db/schema";
import { type AppleServer, makeAppleKey, startAppStoreConnect } from "@/lib/testing/app-store-connect";
import { appleRoom } from "@/lib/testing/apple-room";
import { joinAs } from "@/lib/testing/office";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { listRefills } from "./room";
import { removeRefill, saveRefill, switchRefill } from "./rule";
import { runDueRequests, runRefills } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

/** A pool of four codes that fills itself up by 20 at 5 or fewer, 50 in a quarter. */
async function refilled(change: object = {}) {
  const room = await appleRoom(apple);
  const owner = await joinAs(room.ctx.workspace.id, "owner", crypto.randomUUID());
  await makeBatch(room.ctx, room.poolId, "ios", { size: 4 });
  const { poolId } = room;
  const rule = {
    poolId,
    offer: "subscription:offer1",
    threshold: 5,
    amount: 20,
    quarterCap: 50,
    validDays: 90,
  };
  const save = (more: object = {}) => saveRefill(room.ctx, { ...rule, ...change, ...more });
  await save();
  const round = async () => {
    await Promise.all([runRefills(database()), runRefills(database()), runRefills(database())]);
    await room.pass(0);
    await runDueRequests(database(), room.means);
  };
  const drain = () =>
    database().orm.execute(sql`update codes set status = 'void' where app_id = ${room.ctx.app.id}`);
  const rules = async () => (await listRefills(room.ctx))[0];
  return { ...room, owner, save, round, drain, rules };
}

/** Mails about refills of the app. */
const told = ({ app }: Context) =>
  database()
    .orm.select({ subject: mails.subject, text: mails.text })
    .from(mails)
    .where(and(like(mails.subject, "%no longer refilled%"), like(mails.text, `%${app.id}%`)));

test("a pool at its threshold is filled up once, by many processes at once", async () => {
  const room = await refilled();
  await room.round();
  await room.round();
  expect(await room.requests()).toMatchObject([
    { origin: "refill", state: "imported", imported: 20, amount: 20 },
  ]);
  expect(apple.books.batches).toHaveLength(1);
  expect(await room.rules()).toMatchObject({ used: 20, stopped: null });
});

test("above its threshold nothing is asked for", async () => {
  const room = await refilled({ threshold: 3 });
  await room.round();
  expect(await room.requests()).toEqual([]);
});

test("while a refill is under way there is no second one, whatever holds it up", async () => {
  const room = await refilled();
  for (let n = 0; n < 3; n++) {
    apple.faults.push({ at: /^POST/, how: { status: 429, headers: { "Retry-After": "60" } } });
    await room.round();
  }
  expect(await room.requests()).toHaveLength(1);
});

test("the cap stops it in words, one mail tells of it, and a higher one lets it go on", async () => {
  const room = await refilled();
  for (let n = 0; n < 4; n++) {
    await room.round();
    await room.drain();
  }
  expect(apple.books.batches).toHaveLength(2);
  expect(await room.rules()).toMatchObject({
    stopped: "cap",
    stoppedBecause: "Your cap is reached: 40 of 50 codes of this quarter were asked for, and a refill is 20.",
  });
  const letters = await told(room.ctx);
  expect(letters).toHaveLength(1);
  expect(letters[0]?.text).toContain("Your cap is reached");
  await room.save({ quarterCap: 60 });
  await room.round();
  expect(apple.books.batches).toHaveLength(3);
  expect(await room.rules()).toMatchObject({ stopped: null, used: 60 });
  await room.drain();
  await room.round();
  // Armed again: the next crossing is told again.
  expect(await told(room.ctx)).toHaveLength(2);
});

test("a new quarter lifts the cap by itself", async () => {
  const room = await refilled({ quarterCap: 20 });
  await room.round();
  await room.drain();
  await room.round();
  expect(await room.rules()).toMatchObject({ stopped: "cap" });
  const earlier = sql`${codeRequests.createdAt} - interval '93 days'`;
  await database()
    .orm.update(codeRequests)
    .set({ createdAt: earlier })
    .where(eq(codeRequests.appId, room.ctx.app.id));
  await room.round();
  expect(apple.books.batches).toHaveLength(2);
  expect(await room.rules()).toMatchObject({ stopped: null, used: 20 });
});

test("Apple's own limit for a quarter stops it as well", async () => {
  const room = await refilled();
  const made = {
    appId: room.ctx.app.id,
    poolId: room.poolId,
    origin: "person",
    offerType: "subscription",
  } as const;
  const rows = Array.from({ length: 100 }, () => ({
    ...made,
    ...{ id: crypto.randomUUID(), batchId: crypto.randomUUID(), offerId: "offer1", offerName: "x" },
    ...{ amount: 10_000, expiresOn: room.expiresOn, state: "imported" as const },
  }));
  await database().orm.insert(codeRequests).values(rows);
  await room.round();
  expect(await room.rules()).toMatchObject({ stopped: "store_limit" });
  expect(apple.books.batches).toEqual([]);
});

test("a refused key stops it and is told once; a new key lets the same refill go on", async () => {
  const room = await refilled();
  apple.revoked = true;
  await room.round();
  await room.round();
  expect(await room.rules()).toMatchObject({ stopped: "key", stoppedBecause: expect.stringMatching(/401/) });
  expect(await told(room.ctx)).toHaveLength(1);
  apple.revoked = false;
  await saveStoreKey(room.ctx, apple.key);
  expect(await room.rules()).toMatchObject({ stopped: null });
  await room.round();
  expect(await room.requests()).toMatchObject([{ state: "imported" }]);
  expect(apple.books.batches).toHaveLength(1);
});

test("a key that Apple takes again resumes without anybody's help; a removed one stops", async () => {
  const room = await refilled();
  apple.revoked = true;
  await room.round();
  apple.revoked = false;
  await room.round();
  expect(await room.rules()).toMatchObject({ stopped: null });
  await removeStoreKey(room.ctx);
  expect(await room.rules()).toMatchObject({
    stopped: "key",
    stoppedBecause: expect.stringMatching(/removed/),
  });
  const other = { ...apple.key, privateKey: makeAppleKey().privateKey };
  await saveStoreKey(room.ctx, other);
  expect(await room.rules()).toMatchObject({ stopped: null });
});

test("what Apple refuses stops it for good, until somebody switches it on again", async () => {
  const room = await refilled();
  apple.faults.push({ at: /^POST/, how: { status: 409, detail: "The offer has ended." } });
  for (let n = 0; n < 3; n++) await room.round();
  expect(await room.requests()).toMatchObject([{ state: "refused" }]);
  expect(await room.rules()).toMatchObject({
    stopped: "refused",
    stoppedBecause: expect.stringContaining("The offer has ended."),
  });
  expect(await told(room.ctx)).toHaveLength(1);
  await switchRefill(room.ctx, room.poolId, true);
  await room.round();
  expect(await room.requests()).toMatchObject([{ state: "refused" }, { state: "imported" }]);
});

test("one that died between the refusal and the stop is stopped by the next round", async () => {
  const room = await refilled();
  apple.faults.push({ at: /^POST/, how: { status: 409 } });
  await room.round();
  await database()
    .orm.update(refillRules)
    .set({ stopped: null })
    .where(eq(refillRules.appId, room.ctx.app.id));
  await room.round();
  expect(await room.rules()).toMatchObject({ stopped: "refused" });
  expect(await room.requests()).toHaveLength(1);
});

test("switched off or removed it asks for nothing; each change is in the audit log", async () => {
  const room = await refilled();
  await switchRefill(room.ctx, room.poolId, false);
  await room.round();
  await room.save({ threshold: 3 });
  await removeRefill(room.ctx, room.poolId);
  await expect(removeRefill(room.ctx, room.poolId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await room.round();
  expect(await room.requests()).toEqual([]);
  const log = await database()
    .orm.select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, room.ctx.app.id), like(auditLog.action, "refill.%")))
    .orderBy(auditLog.id);
  expect(log.map(({ action }) => action)).toEqual([
    "refill.set",
    "refill.switched_off",
    "refill.changed",
    "refill.removed",
  ]);
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
  const room = await refilled();
  await expect(room.save(wrong)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
});
