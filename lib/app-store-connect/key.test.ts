import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteApp } from "@/lib/apps/delete";
import { database } from "@/lib/db/client";
import { appStoreKeys, auditLog, storeOffers } from "@/lib/db/schema";
import { purgeApps } from "@/lib/maintenance/purge-apps";
import { sealSecret } from "@/lib/secrets/seal";
import { type AppleServer, makeAppleKey, startAppStoreConnect } from "@/lib/testing/app-store-connect";
import { appleRoom } from "@/lib/testing/apple-room";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { storeKeyView } from "./key-view";
import { openAppStore, sealedFor } from "./open";
import { refreshOffers } from "./refresh-offers";
import { removeStoreKey } from "./remove-key";
import { saveStoreKey } from "./save-key";

useService({ AUTH_SECRET: "a".repeat(32) });

let apple: AppleServer;
beforeAll(async () => {
  apple = await startAppStoreConnect();
});
afterAll(() => apple.stop());

const body = (pem: string) => pem.replace(/-----.*?-----|\s/g, "");

test("a key is stored sealed, shown without itself, and nowhere in the audit log", async () => {
  const { ctx } = await appleRoom(apple);
  await saveStoreKey(ctx, {
    ...apple.key,
    privateKey: `\r\n${apple.key.privateKey.replaceAll("\n", "\r\n")}`,
  });
  const [row] = await database().orm.select().from(appStoreKeys).where(eq(appStoreKeys.appId, ctx.app.id));
  const log = await database()
    .orm.select()
    .from(auditLog)
    .where(and(eq(auditLog.appId, ctx.app.id), like(auditLog.action, "store_key.%")));
  expect(log.map(({ action }) => action)).toEqual(["store_key.stored", "store_key.replaced"]);
  const seen = JSON.stringify([row, log, await storeKeyView(ctx)]);
  expect(seen).not.toContain(body(apple.key.privateKey).slice(40, 60));
  expect(await storeKeyView(ctx)).toMatchObject({ keyId: "2X9R4HXF34", trouble: null });
  await refreshOffers(ctx, (scope) => openAppStore(scope, { base: apple.url }));
  expect((await storeKeyView(ctx))?.listedAt).toBeInstanceOf(Date);
});

test.each([
  [{ issuerId: "me" }, "issuerId"],
  [{ keyId: "2x9r" }, "keyId"],
  [{ privateKey: "hello" }, "privateKey"],
  [{ privateKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" }, "privateKey"],
])("%j is refused, and the error does not repeat it", async (wrong, field) => {
  const { ctx } = await makeTenant({ codes: 0 });
  const saved = saveStoreKey(ctx, { ...apple.key, ...wrong });
  await expect(saved).rejects.toMatchObject({ code: "VALIDATION_ERROR", field });
  await saved.catch((error: Error) => expect(error.message).not.toContain("AAAA"));
  expect(await storeKeyView(ctx)).toBeNull();
});

test("a key sealed under another AUTH_SECRET is told as that, and asks nobody", async () => {
  const { ctx, means } = await appleRoom(apple);
  const secret = process.env.AUTH_SECRET;
  const { env } = await import("@/lib/env");
  const settings = env();
  settings.AUTH_SECRET = "b".repeat(32);
  const asked = apple.asked.length;
  try {
    expect((await storeKeyView(ctx))?.trouble).toMatch(/another AUTH_SECRET/);
    await expect(refreshOffers(ctx, means.open)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/another AUTH_SECRET/),
    });
  } finally {
    settings.AUTH_SECRET = secret;
  }
  expect(apple.asked).toHaveLength(asked);
  await refreshOffers(ctx, means.open);
  expect((await storeKeyView(ctx))?.trouble).toBeNull();
});

test("a sealed key moved into another app's row does not open", async () => {
  const [mine, other] = [await appleRoom(apple), await appleRoom(apple)];
  const privateKey = sealSecret(apple.key.privateKey, sealedFor(other.ctx.app.id));
  await database()
    .orm.update(appStoreKeys)
    .set({ privateKey })
    .where(eq(appStoreKeys.appId, mine.ctx.app.id));
  expect((await storeKeyView(mine.ctx))?.trouble).toMatch(/damaged/);
});

test("a refused key is told with Apple's reason, and the list that was there stays", async () => {
  const { ctx, means } = await appleRoom(apple);
  await saveStoreKey(ctx, { ...apple.key, privateKey: makeAppleKey().privateKey });
  await expect(refreshOffers(ctx, means.open)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await storeKeyView(ctx))?.trouble).toMatch(/does not take this key/);
  const offers = await database().orm.select().from(storeOffers).where(eq(storeOffers.appId, ctx.app.id));
  expect(offers).toHaveLength(4);
});

test("an app without its Apple id is told what is missing", async () => {
  const { ctx } = await makeTenant({ codes: 0, app: { appleAppId: null } });
  await expect(refreshOffers(ctx)).rejects.toMatchObject({ message: expect.stringMatching(/no key/) });
  await saveStoreKey(ctx, apple.key);
  await expect(refreshOffers(ctx)).rejects.toMatchObject({ message: expect.stringMatching(/Apple ID/) });
});

test("a key can be removed, and goes with its app", async () => {
  const [one, two] = [await appleRoom(apple), await appleRoom(apple)];
  await removeStoreKey(one.ctx);
  expect(await storeKeyView(one.ctx)).toBeNull();
  await expect(removeStoreKey(one.ctx)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await storeKeyView(two.ctx)).not.toBeNull();
  await deleteApp(two.ctx);
  await purgeApps(database(), new Date(Date.now() + 30 * 86_400_000));
  expect(await storeKeyView(two.ctx)).toBeNull();
});
