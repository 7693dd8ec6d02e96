import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { appStoreKeys, auditLog, storeOffers } from "@/lib/platform/db/schema";
import { sealSecret } from "@/lib/platform/secrets/seal";
import { purgeApps } from "@/lib/program/retention/purge-apps";
import { deleteApp } from "@/lib/tenants/apps/delete";
import { advanceRequest } from "@/lib/testing/app-store/advance";
import { type AppleServer, makeAppleKey, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { connectAppStore, keyBinding } from "./connect";
import { refreshOffers } from "./refresh-offers";
import { deleteStoreKey, findStoreKeyView, updateIdentity, updateStoreKey } from "./store-key";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeAll(async () => {
  apple = await startAppStoreConnect();
});
afterAll(() => apple.stop());

const body = (pem: string) => pem.replace(/-----.*?-----|\s/g, "");

test("a key is stored sealed, shown without itself, and nowhere in the audit log", async () => {
  const { ctx } = await makeAppleTenant(apple);
  await updateStoreKey(ctx, {
    ...apple.key,
    privateKey: `\r\n${apple.key.privateKey.replaceAll("\n", "\r\n")}`,
  });
  const [row] = await database().orm.select().from(appStoreKeys).where(eq(appStoreKeys.appId, ctx.app.id));
  const log = await database()
    .orm.select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, ctx.app.id), like(auditLog.action, "store_key.%")));
  expect(log.map(({ action }) => action)).toEqual(["store_key.stored", "store_key.replaced"]);
  const seen = JSON.stringify([row, log, await findStoreKeyView(ctx)]);
  expect(seen).not.toContain(body(apple.key.privateKey).slice(40, 60));
  expect(await findStoreKeyView(ctx)).toMatchObject({ keyId: "2X9R4HXF34", trouble: null });
  await refreshOffers(ctx, (scope) => connectAppStore(scope, { base: apple.url }));
  expect((await findStoreKeyView(ctx))?.listedAt).toBeInstanceOf(Date);
});

test.each([
  [{ issuerId: "me" }, "issuerId"],
  [{ keyId: "2x9r" }, "keyId"],
  [{ privateKey: "hello" }, "privateKey"],
  [{ privateKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" }, "privateKey"],
])("%j is refused, and the error does not repeat it", async (wrong, field) => {
  const { ctx } = await makeTenant({ codes: 0 });
  const saved = updateStoreKey(ctx, { ...apple.key, ...wrong });
  await expect(saved).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  await saved.catch((error: Error) => expect(error.message).not.toContain("AAAA"));
  expect(await findStoreKeyView(ctx)).toBeNull();
});

test("a key sealed under another AUTH_SECRET is reported as such, and no request is sent", async () => {
  const { ctx, work } = await makeAppleTenant(apple);
  const secret = process.env.AUTH_SECRET;
  const { env } = await import("@/lib/platform/env");
  const settings = env();
  settings.AUTH_SECRET = "b".repeat(32);
  const before = apple.received.length;
  try {
    const unreadable = { trouble: expect.stringMatching(/sealed under another secret/), unreadable: true };
    expect(await findStoreKeyView(ctx)).toMatchObject(unreadable);
    await expect(refreshOffers(ctx, work.connect)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/sealed under another secret/),
    });
  } finally {
    settings.AUTH_SECRET = secret;
  }
  expect(apple.received).toHaveLength(before);
  await refreshOffers(ctx, work.connect);
  expect((await findStoreKeyView(ctx))?.trouble).toBeNull();
});

test("a sealed key moved into another app's row cannot be read", async () => {
  const [mine, other] = [await makeAppleTenant(apple), await makeAppleTenant(apple)];
  const privateKey = sealSecret(apple.key.privateKey, keyBinding(other.ctx.app.id));
  await database()
    .orm.update(appStoreKeys)
    .set({ privateKey })
    .where(eq(appStoreKeys.appId, mine.ctx.app.id));
  expect(await findStoreKeyView(mine.ctx)).toMatchObject({
    trouble: expect.stringMatching(/damaged/),
    unreadable: true,
  });
});

test("a rejected key shows Apple's reason, and the stored offers stay", async () => {
  const { ctx, work } = await makeAppleTenant(apple);
  await updateStoreKey(ctx, { ...apple.key, privateKey: makeAppleKey().privateKey });
  await expect(refreshOffers(ctx, work.connect)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await findStoreKeyView(ctx)).toMatchObject({
    trouble: expect.stringMatching(/rejected the key/),
    unreadable: false,
  });
  const offers = await database().orm.select().from(storeOffers).where(eq(storeOffers.appId, ctx.app.id));
  expect(offers).toHaveLength(4);
});

test("a key that is stored while Apple answers the former one has neither its rejection nor its offers", async () => {
  const { ctx, work } = await makeAppleTenant(apple);
  const replacedMeanwhile = async (scope: typeof ctx) => {
    const store = await work.connect(scope);
    await updateStoreKey(ctx, apple.key);
    return store;
  };
  const refused = () => refreshOffers(ctx, replacedMeanwhile).catch((error: Error) => error.message);
  const listedAt = (await findStoreKeyView(ctx))?.listedAt;
  expect(await refused()).toBe("The key was replaced in the meantime");
  expect(await findStoreKeyView(ctx)).toMatchObject({ trouble: null, listedAt });
  await updateStoreKey(ctx, { ...apple.key, privateKey: makeAppleKey().privateKey });
  expect(await refused()).toMatch(/rejected the key/);
  expect(await findStoreKeyView(ctx)).toMatchObject({ trouble: null });
});

test("offers that Apple lists for the former Apple ID are not stored for another one", async () => {
  const { ctx, work } = await makeAppleTenant(apple);
  const changedMeanwhile = async (scope: typeof ctx) => {
    const store = await work.connect(scope);
    await updateIdentity(ctx, { appleAppId: "987654321" });
    return store;
  };
  await expect(refreshOffers(ctx, changedMeanwhile)).rejects.toThrow(
    "The Apple ID was changed in the meantime",
  );
  expect(await database().orm.select().from(storeOffers).where(eq(storeOffers.appId, ctx.app.id))).toEqual(
    [],
  );
});

test("another Apple ID ends the requests that were not sent, and no others", async () => {
  const { ctx, request, requests, work } = await makeAppleTenant(apple);
  const [sent, unsent] = [await request(20), await request(25)];
  await advanceRequest(ctx, sent, work);
  await updateIdentity(ctx, { appleAppId: "987654321" });
  await advanceRequest(ctx, unsent, work);
  expect(await requests()).toMatchObject([
    { id: sent, state: "imported" },
    { id: unsent, state: "refused", trouble: expect.stringContaining("another Apple app ID") },
  ]);
});

test("an app without its Apple ID gets an error that says so", async () => {
  const { ctx } = await makeTenant({ codes: 0, app: { appleAppId: null } });
  await expect(refreshOffers(ctx)).rejects.toMatchObject({ message: expect.stringMatching(/no key/) });
  await updateStoreKey(ctx, apple.key);
  await expect(refreshOffers(ctx)).rejects.toMatchObject({ message: expect.stringMatching(/Apple ID/) });
});

test("a key can be removed, and goes with its app", async () => {
  const [first, second] = [await makeAppleTenant(apple), await makeAppleTenant(apple)];
  await deleteStoreKey(first.ctx);
  expect(await findStoreKeyView(first.ctx)).toBeNull();
  await expect(deleteStoreKey(first.ctx)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await findStoreKeyView(second.ctx)).not.toBeNull();
  await deleteApp(second.ctx);
  await purgeApps(database(), new Date(Date.now() + 30 * 86_400_000));
  expect(await findStoreKeyView(second.ctx)).toBeNull();
});
