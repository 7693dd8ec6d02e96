import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/db/client";
import { auditLog, batches } from "@/lib/db/schema";
import { deletePool } from "@/lib/pools/delete";
import { storeMidnight } from "@/lib/stores/expiry";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store-connect";
import { appleRoom, madeCodes } from "@/lib/testing/apple-room";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { advanceRequest } from "./advance";
import { askForCodes } from "./ask";
import { giveUpRequest } from "./give-up";
import { listRequests } from "./room";
import { runDueRequests } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

test("codes that were asked for are made once, imported with offer and end, and given to referees", async () => {
  const { ctx, key, ask, means, requests, stored, expiresOn } = await appleRoom(apple);
  const id = await ask(25);
  await runDueRequests(database(), means);
  expect(await requests()).toMatchObject([
    { id, state: "imported", imported: 25, trouble: null, storeId: "batch1" },
  ]);
  expect((await stored()).sort()).toEqual(madeCodes(apple).sort());
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
  expect(madeCodes(apple)).toContain((await client.redeem("bob", metacode)).body.code);
  expect(await listRequests(ctx)).toMatchObject([
    { pool: "ios referee", state: "imported", batchId: batch?.id },
  ]);
});

test("the same form sent twice asks once, and many workers at once do it once", async () => {
  const { ctx, poolId, expiresOn, means, requests, stored } = await appleRoom(apple);
  const form = {
    requestId: crypto.randomUUID(),
    poolId,
    offer: "subscription:offer1",
    amount: 50,
    expiresOn,
  };
  await Promise.all([askForCodes(ctx, form), askForCodes(ctx, form), askForCodes(ctx, form)]);
  await Promise.all(Array.from({ length: 6 }, () => advanceRequest(ctx, form.requestId, means)));
  expect(await requests()).toMatchObject([{ state: "imported", imported: 50, attempts: 1 }]);
  expect(apple.books.batches).toHaveLength(1);
  expect(await stored()).toHaveLength(50);
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
])("%j is refused before the store is asked", async (wrong, field) => {
  const { ctx, poolId, expiresOn, requests } = await appleRoom(apple);
  const form = { poolId, offer: "subscription:offer1", amount: 20, expiresOn, ...wrong };
  await expect(askForCodes(ctx, form)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  expect(await requests()).toEqual([]);
});

test("only pools of the App Store get codes of it, and only of the own app", async () => {
  const [mine, other] = [await appleRoom(apple), await appleRoom(apple)];
  const form = { offer: "subscription:offer1", amount: 20, expiresOn: mine.expiresOn };
  const android = askForCodes(mine.ctx, { ...form, poolId: mine.pools.android.referee });
  await expect(android).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "poolId" });
  const foreign = askForCodes(mine.ctx, { ...form, poolId: other.poolId });
  await expect(foreign).rejects.toMatchObject({ code: "NOT_FOUND" });
  const id = await other.ask();
  await expect(giveUpRequest(mine.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await advanceRequest(mine.ctx, id, mine.means);
  expect(await other.requests()).toMatchObject([{ state: "asked", attempts: 0 }]);
});

test("a sandbox asks for codes that only test purchases redeem", async () => {
  const { ctx, ask, means } = await appleRoom(apple, { sandbox: true });
  await advanceRequest(ctx, await ask(), means);
  expect(apple.books.batches).toMatchObject([{ environment: "SANDBOX" }]);
});

test("what the store refuses ends the request in its words, with nothing to look for", async () => {
  const { ctx, ask, means, requests } = await appleRoom(apple);
  apple.faults.push({ at: /^POST/, how: { status: 409, detail: "The offer is full." } });
  await advanceRequest(ctx, await ask(), means);
  expect(await requests()).toMatchObject([
    { state: "refused", postedAt: null, trouble: expect.stringContaining("The offer is full.") },
  ]);
});

test.each([
  ["a key that Apple does not take", { status: 401 }, /does not take this key/],
  ["a key without the role", { status: 403 }, /role Admin or App Manager/],
  ["a limit", { status: 429, headers: { "Retry-After": "900" } }, /limit is reached/],
])("%s leaves the request waiting, and it goes on", async (_, how, trouble) => {
  const { ctx, ask, means, requests, pass } = await appleRoom(apple);
  apple.faults.push({ at: /^POST/, how });
  const id = await ask();
  await advanceRequest(ctx, id, means);
  const [waiting] = await requests();
  expect(waiting).toMatchObject({ state: "asked", postedAt: null, trouble: expect.stringMatching(trouble) });
  expect(waiting?.dueAt.getTime()).toBeGreaterThan(Date.now() + 600_000);
  await runDueRequests(database(), means);
  expect(apple.books.batches).toHaveLength(0);
  await pass(0);
  await runDueRequests(database(), means);
  expect(await requests()).toMatchObject([{ state: "imported", trouble: null }]);
  expect(apple.books.batches).toHaveLength(1);
});

test("a file that is still being written, or was cut off, is fetched again and not imported in part", async () => {
  const { ctx, ask, means, requests, pass, stored } = await appleRoom(apple);
  apple.faults.push({ at: /values$/, how: "half" });
  await advanceRequest(ctx, await ask(), means);
  expect(await requests()).toMatchObject([
    { state: "made", trouble: "Apple has written 10 of 20 codes so far." },
  ]);
  expect(await stored()).toEqual([]);
  await pass(0);
  await runDueRequests(database(), means);
  expect(await stored()).toHaveLength(20);
  expect(apple.books.batches).toHaveLength(1);
});

test("codes that a person imported as a file meanwhile are no fault", async () => {
  const { ctx, ask, means, requests, pass, poolId } = await appleRoom(apple);
  apple.faults.push({ at: /values$/, how: { status: 404 } });
  await advanceRequest(ctx, await ask(), means);
  const { importCodes } = await import("@/lib/codes/import");
  const source = (async function* () {
    yield madeCodes(apple).join("\n");
  })();
  await importCodes(ctx, { poolId, kind: "one_time", source });
  await pass(0);
  await runDueRequests(database(), means);
  expect(await requests()).toMatchObject([
    { state: "imported", imported: 0, trouble: expect.stringMatching(/known already/) },
  ]);
});

test("a request that was given up asks nobody, and is in the audit log with its person", async () => {
  const { ctx, ask, means, requests, poolId } = await appleRoom(apple);
  const id = await ask();
  await expect(deletePool(ctx, poolId)).rejects.toMatchObject({ code: "CONFLICT" });
  await giveUpRequest(ctx, id);
  await expect(giveUpRequest(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  await advanceRequest(ctx, id, means);
  expect(await requests()).toMatchObject([{ state: "given_up" }]);
  expect(apple.books.batches).toEqual([]);
  const log = await database()
    .orm.select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, ctx.app.id), eq(auditLog.subjectId, id)));
  expect(log.map(({ action }) => action)).toEqual(["code_request.asked", "code_request.given_up"]);
});
