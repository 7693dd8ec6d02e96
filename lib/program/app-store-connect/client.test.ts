import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isoDay } from "@/lib/contract/format";
import { type AppleServer, makeAppleKey, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { appStoreApi } from "./api";
import { AppStoreClient } from "./client";
import { retryAfter } from "./errors";
import { checkPrivateKey } from "./store-key";

let apple: AppleServer;
let waits: number[];
beforeAll(async () => {
  apple = await startAppStoreConnect();
});
beforeEach(() => {
  waits = [];
  apple.faults.length = 0;
  apple.received.length = 0;
  apple.revoked = false;
});
afterAll(() => apple.stop());

const wait = async (ms: number) => void waits.push(ms);

function storeApi(key: Partial<AppleServer["key"]> = {}, timeoutMs = 5_000) {
  const client = new AppStoreClient({ ...apple.key, ...key }, { base: apple.url, wait, timeoutMs });
  return appStoreApi(client, "1234567890");
}

const OFFER = { type: "subscription", id: "offer1" } as const;
const soon = () => isoDay(Date.now() + 30 * 86_400_000);

test("lists the offers of subscriptions and purchases, over all pages", async () => {
  const offers = await storeApi().listOffers();
  expect(offers.map(({ type, id, name, product, active }) => [type, id, name, product, active])).toEqual([
    ["in_app_purchase", "offer4", "Ten coins", "Coins", true],
    ["subscription", "offer3", "Half a year", "Monthly", true],
    ["subscription", "offer2", "Old offer", "Monthly", false],
    ["subscription", "offer1", "One month free", "Monthly", true],
  ]);
  expect(apple.received.filter((request) => request.endsWith("/subscriptions/sub1/offerCodes"))).toHaveLength(
    2,
  );
});

test.each([
  [OFFER, false, "PRODUCTION"],
  [{ type: "in_app_purchase", id: "offer4" } as const, true, "SANDBOX"],
])("creates codes of %j and downloads them", async (offer, sandbox, environment) => {
  const batch = await storeApi().createBatch(offer, { amount: 12, expiresOn: soon(), sandbox });
  expect(batch).toMatchObject({ amount: 12, expiresOn: soon(), sandbox });
  expect(apple.books.batches.at(-1)?.environment).toBe(environment);
  const text = await storeApi().downloadCodes(offer.type, batch.id);
  expect(text.trim().split("\n")).toHaveLength(12);
  expect(await storeApi().listBatches(offer)).toContainEqual(batch);
});

test.each([
  ["another key", () => ({ privateKey: makeAppleKey().privateKey })],
  ["another key id", () => ({ keyId: "ABCDEFGHIJ" })],
  ["another issuer", () => ({ issuerId: "00000000-0000-0000-0000-000000000000" })],
])("%s is rejected with a reason, and not tried again", async (_, key) => {
  await expect(storeApi(key()).listOffers()).rejects.toMatchObject({
    kind: "key",
    message: expect.stringMatching(/rejected the key/),
  });
  expect(apple.received).toHaveLength(1);
});

test.each([
  [403, "key", /^Apple does not allow this with this key\. .*Apple says: Accept it/],
  [404, "refused", /^Apple could not find this\. Apple says: Accept it/],
  [409, "refused", /^Apple rejected the request\. Apple says: Accept it/],
])("a response %i becomes an error with Apple's detail", async (status, kind, message) => {
  apple.faults.push({ at: /./, how: { status, detail: "Accept it" } });
  await expect(storeApi().listOffers()).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
  expect(waits).toEqual([]);
});

test("reading is tried again after faults and short limits, at most twice", async () => {
  const limit = { status: 429, headers: { "Retry-After": "2" } };
  apple.faults.push({ at: /./, how: { status: 503 } }, { at: /./, how: limit });
  expect(await storeApi().listOffers()).toHaveLength(4);
  expect(waits).toEqual([250, 2_000]);
  for (let n = 0; n < 3; n++) apple.faults.push({ at: /./, how: "unheard" });
  await expect(storeApi().listOffers()).rejects.toMatchObject({ kind: "unknown_outcome" });
  expect(apple.faults).toEqual([]);
});

test("a long limit is left to later, with Apple's own seconds", async () => {
  apple.faults.push({ at: /./, how: { status: 429, headers: { "Retry-After": "1800" } } });
  await expect(storeApi().listOffers()).rejects.toMatchObject({ kind: "busy", retryAfter: 1_800 });
  expect(waits).toEqual([]);
});

test.each(["lost", "unheard"] as const)(
  "a batch is ordered once, also when the response is %s",
  async (how) => {
    apple.faults.push({ at: /^POST/, how });
    const before = apple.books.batches.length;
    const batch = { amount: 10, expiresOn: soon(), sandbox: false };
    await expect(storeApi().createBatch(OFFER, batch)).rejects.toMatchObject({ kind: "unknown_outcome" });
    expect(apple.received.filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect(apple.books.batches.length - before).toBe(how === "lost" ? 1 : 0);
  },
);

test("a closed port counts as unreachable", async () => {
  const gone = await startAppStoreConnect();
  await gone.stop();
  const client = new AppStoreClient(apple.key, { base: gone.url, wait });
  await expect(client.get("/v1/apps")).rejects.toMatchObject({ kind: "unreachable" });
});

test("the next page's address leads to no other server", async () => {
  const { url } = apple;
  apple.url = "http://elsewhere.example";
  const client = new AppStoreClient(apple.key, { base: url, wait });
  await expect(appStoreApi(client, "1234567890").listOffers()).rejects.toMatchObject({
    message: expect.stringMatching(/another server/),
  });
  apple.url = url;
});

test("only a key of Apple's kind passes", () => {
  expect(() => checkPrivateKey(apple.key.privateKey)).not.toThrow();
  for (const text of ["", "hello", apple.key.privateKey.replace(/\n[A-Za-z0-9]{4}/, "\nAAAA")]) {
    expect(() => checkPrivateKey(text)).toThrow(/whole .p8 file/);
  }
});

test("Retry-After is seconds or a date, at most an hour ahead", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(retryAfter("7", now)).toBe(7);
  expect(retryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now)).toBe(60);
  expect([retryAfter("9999999"), retryAfter("Fri, 01 Jan 2027 00:00:00 GMT", now)]).toEqual([3_600, 3_600]);
  expect([retryAfter(null), retryAfter("soon")]).toEqual([undefined, undefined]);
});
