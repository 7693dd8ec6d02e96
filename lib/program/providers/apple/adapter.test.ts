import { X509Certificate } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { apple } from "@/lib/program/providers/apple/adapter";
import { APPLE_ROOTS } from "@/lib/program/providers/apple/roots";
import type { Delivery } from "@/lib/program/providers/common/adapter";
import { appleAuthority } from "@/lib/testing/apple/certificate-authority";
import { type AppleChanges, AT, appleClaims, appleRecorded } from "@/lib/testing/apple/recorded";

const APP = { appleAppId: "41234", iosBundleId: "com.example", sandbox: false };
const AUTHORITY = appleAuthority();

const trust = (pem: string) => Object.assign(APPLE_ROOTS, { TEST: pem });

// Before each test: files of a process share the module, and another one trusts its authority to its end.
beforeEach(() => void Reflect.deleteProperty(APPLE_ROOTS, "TEST"));

function delivery(signedPayload: unknown, app: Partial<Delivery["app"]> = {}): Delivery {
  const rawBody = new TextEncoder().encode(JSON.stringify({ signedPayload }));
  const rest = { secret: "", signingSecret: null, now: AT };
  return { headers: new Headers(), rawBody, app: { ...APP, ...app }, ...rest };
}

const signed = (changes?: AppleChanges, authority = AUTHORITY) =>
  delivery(authority.jws(appleClaims(authority, changes)));

const read = (changes?: AppleChanges) => apple.read(signed(changes));

const refused = (message: RegExp) =>
  expect.objectContaining({ code: "UNAUTHORIZED", message: expect.stringMatching(message) });

test("the roots are those that Apple publishes, by their fingerprints", () => {
  const names = Object.entries(APPLE_ROOTS).map(([fingerprint, pem]) => {
    const root = new X509Certificate(pem);
    expect(root.fingerprint256.replaceAll(":", "")).toBe(fingerprint);
    expect(root.verify(root.publicKey)).toBe(true);
    return root.subject.split("\n").at(-1) ?? "";
  });
  expect(names).toHaveLength(2);
});

test("a delivery that Apple signed for this app is accepted, from production and from the sandbox", async () => {
  trust(AUTHORITY.rootPem);
  await apple.authenticate(signed());
  await apple.authenticate(signed({ data: { environment: "Sandbox" } }));
  const app = { appleAppId: null, sandbox: true };
  await apple.authenticate({ ...signed({ data: { environment: "Sandbox" } }), app: { ...APP, ...app } });
});

test.each([
  ["SANDBOX_1", { externalPurchaseId: "SANDBOX_1" }],
  ["production", { externalPurchaseId: "p-1" }],
])("a token of a purchase outside the store, %s, is let in and ignored", async (_, about) => {
  trust(AUTHORITY.rootPem);
  const externalPurchaseToken = { ...about, appAppleId: 41234, bundleId: "com.example" };
  const claims = { notificationType: "EXTERNAL_PURCHASE_TOKEN", signedDate: AT, externalPurchaseToken };
  const purchase = delivery(AUTHORITY.jws(claims));
  await apple.authenticate(purchase);
  expect(apple.read(purchase).confirmation.kind).toBe("ignore");
  const other = { ...claims, externalPurchaseToken: { ...externalPurchaseToken, bundleId: "com.other" } };
  await expect(apple.authenticate(delivery(AUTHORITY.jws(other)))).rejects.toThrow(refused(/identifier/));
});

test.each([
  ["an object that hides its own text", '{"toString":1}'],
  ["a deep list", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
  ["a number", "7"],
  ["null", "null"],
])("an unsigned token whose id is %s is refused as any other", async (_, id) => {
  const claims = `{"externalPurchaseToken":{"externalPurchaseId":${id}}}`;
  const [header, payload] = ['{"alg":"ES256"}', claims].map((part) =>
    Buffer.from(part).toString("base64url"),
  );
  await expect(apple.authenticate(delivery(`${header}.${payload}.AAAA`))).rejects.toThrow(
    refused(/signature is not valid/),
  );
});

test("the notification of Apple's own library is let in with the library's root, and not without", async () => {
  const { signedPayload } = appleRecorded("jws_testNotification");
  const header = JSON.parse(Buffer.from(signedPayload.split(".")[0], "base64url").toString());
  await expect(apple.authenticate(delivery(signedPayload))).rejects.toThrow(
    refused(/certificate|verification/),
  );
  trust(`-----BEGIN CERTIFICATE-----\n${header.x5c[2]}\n-----END CERTIFICATE-----`);
  await apple.authenticate(delivery(signedPayload));
  expect(apple.read(delivery(signedPayload))).toMatchObject({
    eventId: "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6",
    type: "TEST",
    uids: [],
    confirmation: { kind: "ignore", sandbox: true },
  });
});

const [leaf = "", middle = "", root = ""] = AUTHORITY.chain;
const claims = () => appleClaims(AUTHORITY);

test.each<[string, () => Delivery]>([
  ["a root that is not Apple's, though sent along", () => signed({}, appleAuthority())],
  ["a leaf without Apple's mark", () => signed({}, trusted(appleAuthority({ marked: false })))],
  [
    "an intermediate without Apple's mark",
    () => signed({}, trusted(appleAuthority({ middleMarked: false }))),
  ],
  ["an intermediate that may not sign", () => signed({}, trusted(appleAuthority({ authority: false })))],
  ["a chain that has expired", () => signed({}, trusted(appleAuthority({ until: new Date("2025-12-31") })))],
  ["a chain of the future", () => signed({}, trusted(appleAuthority({ from: new Date("2026-06-01") })))],
  ["no chain", () => delivery(AUTHORITY.jws(claims(), []))],
  ["a chain of two", () => delivery(AUTHORITY.jws(claims(), [leaf, middle]))],
  ["a chain of four", () => delivery(AUTHORITY.jws(claims(), [leaf, middle, root, root]))],
  ["a chain in another order", () => delivery(AUTHORITY.jws(claims(), [middle, leaf, root]))],
  ["another signature", () => delivery(AUTHORITY.jws(claims()).replace(/.{8}$/, "AAAAAAAA"))],
  ["other claims than were signed", () => delivery(swapped())],
  ["no signature at all", () => apple.sample({ ...SAMPLE, kind: "purchase" }) as Delivery],
])("%s is refused", async (_, make) => {
  trust(AUTHORITY.rootPem);
  const sent = { ...delivery(""), ...make() };
  await expect(apple.authenticate(sent)).rejects.toThrow(refused(/is not valid/));
});

const SAMPLE = { uid: "a", secret: "", signingSecret: null, now: AT };

function trusted(authority: ReturnType<typeof appleAuthority>) {
  trust(authority.rootPem);
  return authority;
}

function swapped(): string {
  const [header, , signature] = AUTHORITY.jws(claims()).split(".");
  const others = JSON.stringify(appleClaims(AUTHORITY, { claims: { notificationType: "REFUND" } }));
  return `${header}.${Buffer.from(others).toString("base64url")}.${signature}`;
}

test.each<[string, Delivery, RegExp]>([
  ["of another bundle id", signed({ data: { bundleId: "com.other" } }), /app identifier/],
  ["of another Apple app id", signed({ data: { appAppleId: 5 } }), /app identifier/],
  ["for an app of another bundle id", { ...signed(), app: { ...APP, iosBundleId: "x" } }, /identifier/],
  ["for an app without a bundle id", { ...signed(), app: { ...APP, iosBundleId: null } }, /bundle id/],
  [
    "for an app without an Apple app id",
    { ...signed(), app: { ...APP, appleAppId: null } },
    /no Apple app id/,
  ],
  ["of Xcode, which is unsigned", signed({ data: { environment: "Xcode" } }), /neither/],
  ["of local tests, which are unsigned", signed({ data: { environment: "LocalTesting" } }), /neither/],
  ["about nothing", delivery(AUTHORITY.jws({ notificationType: "TEST" })), /neither/],
])("a notification %s is refused", async (_, sent, message) => {
  trust(AUTHORITY.rootPem);
  await expect(apple.authenticate(sent)).rejects.toThrow(refused(message));
});

test.each([undefined, 5, "", "abc", "a.b!.c", "a..c", `a.${Buffer.from("[]").toString("base64url")}.c`])(
  "%j is no notification",
  async (signedPayload) => {
    const invalid = expect.objectContaining({ code: "VALIDATION_ERROR" });
    await expect(apple.authenticate(delivery(signedPayload))).rejects.toThrow(invalid);
    expect(() => apple.read(delivery(signedPayload))).toThrow(invalid);
  },
);

test("a purchase confirms for the token, however its letters are written", () => {
  const token = "7e3fb20b-4cdb-47cc-936d-99d65f608138";
  expect(read({ transaction: { appAccountToken: token } })).toMatchObject({
    eventId: "002e14d5-51f5-4503-b5a8-c3a1af68eb20",
    type: "SUBSCRIBED",
    occurredAt: AT,
    uids: [token, token.toUpperCase()],
    purchaseId: "12345",
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
  });
  expect(read({ transaction: { appAccountToken: undefined } }).uids).toEqual([]);
});

test("the stored payload can be read by people, and again by the adapter", () => {
  const first = read();
  const rawBody = new TextEncoder().encode(JSON.stringify(first.payload));
  expect(apple.read({ headers: new Headers(), rawBody })).toEqual(first);
  expect(first.payload).toMatchObject({
    says: { data: { transaction: { productId: "com.example.product" } } },
  });
});

const offer = (transaction: object, subtype?: string): AppleChanges => ({
  claims: { notificationType: "OFFER_REDEEMED", subtype },
  transaction,
});

test.each<[string, AppleChanges, object]>([
  ["a free trial", { transaction: { offerDiscountType: "FREE_TRIAL" } }, { kind: "confirm", paid: false }],
  ["a purchase of price 0", { transaction: { price: 0 } }, { kind: "confirm", paid: false }],
  ["a purchase with a price", { transaction: { price: 10_990 } }, { kind: "confirm", paid: true }],
  ["a refund", { claims: { notificationType: "REFUND" } }, { kind: "reverse" }],
  [
    "a refund of the whole price",
    { claims: { notificationType: "REFUND" }, transaction: { revocationType: "REFUND_FULL" } },
    { kind: "reverse" },
  ],
  [
    "a prorated refund",
    { claims: { notificationType: "REFUND" }, transaction: { revocationType: "REFUND_PRORATED" } },
    { kind: "ignore" },
  ],
  ["a renewal", { claims: { notificationType: "DID_RENEW" } }, { kind: "confirm", renewal: true }],
  [
    "a renewal in the period of an offer code",
    { claims: { notificationType: "DID_RENEW" }, transaction: { offerType: 3 } },
    { kind: "confirm", renewal: false },
  ],
  ["an offer that a subscriber redeemed with a code", offer({ offerType: 3 }), { renewal: false }],
  [
    "an offer that a subscriber accepted in the app",
    offer({ offerType: 2 }, "UPGRADE"),
    { kind: "confirm", renewal: true },
  ],
  ["an offer that began a subscription", offer({ offerType: 2 }, "RESUBSCRIBE"), { renewal: false }],
  [
    "a purchase shared in the family",
    { transaction: { inAppOwnershipType: "FAMILY_SHARED" } },
    { kind: "ignore" },
  ],
  ["a purchase of the sandbox", { data: { environment: "Sandbox" } }, { kind: "confirm", sandbox: true }],
])("%s", (_, changes, expected) => {
  expect(read(changes).confirmation).toMatchObject(expected);
});
