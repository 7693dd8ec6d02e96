import { createHmac } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { generateHeaderSecret } from "@/lib/platform/secrets/random-token";
import type { Confirmation, Delivery } from "@/lib/program/providers/common/adapter";
import { revenuecat } from "@/lib/program/providers/revenuecat/adapter";
import { recorded } from "@/lib/testing/provider-events/recorded";

const NOW = Date.UTC(2026, 0, 15);
const SECRET = "metacode_value";
const APP = { appleAppId: null, iosBundleId: null, sandbox: false };
const KEY = "rc-signing-key";

function delivery(
  body: unknown,
  headers: Record<string, string> = {},
  rest: Partial<Delivery> = {},
): Delivery {
  const known = { secret: SECRET, signingSecret: null, app: APP, now: NOW };
  const rawBody = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  return { headers: new Headers(headers), rawBody, ...known, ...rest };
}

const read = (name: string, changes = {}) => revenuecat.read(delivery(recorded(name, changes)));
const verdict = (name: string, changes = {}) => read(name, changes).confirmation;

const confirm: Confirmation = { kind: "confirm", paid: true, renewal: false, sandbox: false };
const ignore = expect.objectContaining({ kind: "ignore" });

const RECORDED: Record<string, unknown> = {
  initial_purchase: confirm,
  initial_purchase_trial: { ...confirm, paid: false },
  non_renewing_purchase: confirm,
  renewal: { ...confirm, renewal: true },
  cancellation_refund_customer_support: { ...confirm, kind: "reverse" },
  cancellation_unsubscribe: ignore,
  expiration: ignore,
  subscription_paused: ignore,
  temporary_entitlement_grant: ignore,
  transfer: ignore,
};

test("every recorded payload has its verdict in the table", () => {
  const files = readdirSync(new URL("../fixtures/revenuecat", import.meta.url));
  expect(files.map((file) => file.replace(".json", "")).sort()).toEqual(Object.keys(RECORDED).sort());
});

test.each(Object.entries(RECORDED))("%s", (name, expected) => {
  expect(verdict(name)).toEqual(expected);
});

test.each([
  ["a trial turning into money", { is_trial_conversion: true }, { renewal: false, paid: true }],
  [
    "a trial turning into money, still called a trial",
    { is_trial_conversion: true, period_type: "TRIAL" },
    { paid: true },
  ],
  ["a renewal with an offer code", { offer_code: "spring" }, { renewal: false, paid: true }],
  ["a renewal that is a trial", { period_type: "TRIAL" }, { renewal: false, paid: false }],
  ["a renewal at an introductory price", { period_type: "INTRO" }, { renewal: false, paid: true }],
  ["a renewal with an empty offer code", { offer_code: "" }, { renewal: true }],
])("%s", (_, changes, expected) => {
  expect(verdict("renewal", changes)).toMatchObject({ kind: "confirm", ...expected });
});

const STRANGE_STORES = ["STRIPE", "PADDLE", "RC_BILLING", "AMAZON", "ROKU", "A_NEW_ONE", "PROMOTIONAL"];

test.each<Record<string, unknown>>([
  { period_type: "PROMOTIONAL" },
  { is_family_share: true },
  ...STRANGE_STORES.map((store) => ({ store })),
])("no code was redeemed: %j", (changes) => {
  for (const name of ["initial_purchase", "non_renewing_purchase", "renewal"]) {
    expect(verdict(name, changes)).toEqual(ignore);
  }
  expect(verdict("cancellation_refund_customer_support", changes)).toEqual(ignore);
});

test.each(["INTRO", "NORMAL", "PREPAID"])(
  "a purchase of period %s confirms, and is paid unless its price is 0",
  (period_type) => {
    expect(verdict("initial_purchase", { period_type })).toEqual(confirm);
    expect(verdict("initial_purchase", { period_type, price: null })).toEqual(confirm);
    expect(verdict("initial_purchase", { period_type, price: 0 })).toEqual({ ...confirm, paid: false });
  },
);

test.each(["APP_STORE", "MAC_APP_STORE", "PLAY_STORE"])("a purchase in %s confirms", (store) => {
  expect(verdict("initial_purchase", { store })).toEqual(confirm);
});

test.each(["UNSUBSCRIBE", "BILLING_ERROR", "DEVELOPER_INITIATED", "PRICE_INCREASE", "UNKNOWN", null])(
  "a cancellation because of %s takes nothing back",
  (cancel_reason) => {
    expect(verdict("cancellation_unsubscribe", { cancel_reason, price: -9.99 })).toEqual(ignore);
  },
);

test.each([
  ...[
    "TEST",
    "UNCANCELLATION",
    "BILLING_ISSUE",
    "PRODUCT_CHANGE",
    "SUBSCRIPTION_EXTENDED",
    "SUBSCRIBER_ALIAS",
  ],
  ...["INVOICE_ISSUANCE", "VIRTUAL_CURRENCY_TRANSACTION", "EXPERIMENT_ENROLLMENT", "PURCHASE_REDEEMED"],
  ...["PAYWALL_IMPRESSION", "SOMETHING_OF_NEXT_YEAR", "constructor"],
])("%s is ignored", (type) => {
  expect(verdict("initial_purchase", { type })).toEqual(ignore);
});

test("a refund taken back restores", () => {
  expect(verdict("initial_purchase", { type: "REFUND_REVERSED" })).toEqual({ ...confirm, kind: "restore" });
});

test("an event is sandbox if it says so, and always in the test store", () => {
  expect(verdict("initial_purchase", { environment: "SANDBOX" }).sandbox).toBe(true);
  expect(verdict("initial_purchase", { store: "TEST_STORE" }).sandbox).toBe(true);
});

test("the ids are distinct texts in order, with other anonymous ones last", () => {
  const event = read("initial_purchase", {
    app_user_id: "$RCAnonymousID:1",
    original_app_user_id: "b",
    aliases: ["a", "$RCAnonymousID:2", "b", 7, null, "", "c"],
  });
  expect(event.uids).toEqual(["$RCAnonymousID:1", "b", "a", "c", "$RCAnonymousID:2"]);
  const anonymous = read("initial_purchase", { original_app_user_id: "$RCAnonymousID:2", aliases: [] });
  expect(anonymous.uids).toEqual(["1234567890", "$RCAnonymousID:2"]);
  expect(read("initial_purchase", { app_user_id: "" }).uids).not.toContain("");
  expect(read("cancellation_unsubscribe", { app_user_id: "a" }).uids).toEqual([
    "a",
    "user_1234",
    "$RCAnonymousID:12345678-1234-ABCD-1234-123456789123",
  ]);
  expect(read("transfer").uids).toEqual([]);
});

test("fields of another type and unknown fields do not stop an event", () => {
  const event = read("initial_purchase", { aliases: "x", offer_code: 5, is_family_share: "no", news: [{}] });
  expect(event).toMatchObject({ type: "INITIAL_PURCHASE", uids: event.uids, confirmation: confirm });
  expect(event.uids[0]).toBe("1234567890");
});

test("an event without an id is known by its bytes", () => {
  const first = read("initial_purchase", { id: undefined }).eventId;
  expect(first).toMatch(/^body:[0-9a-f]{64}$/);
  expect(read("initial_purchase", { id: undefined }).eventId).toBe(first);
  expect(read("initial_purchase", { id: undefined, price: 1 }).eventId).not.toBe(first);
});

test.each([
  ["{", "body"],
  ["[]", "body"],
  ["null", "body"],
  ['{"api_version":"1.0"}', "`event`"],
  ['{"event":[]}', "`event`"],
  ['{"event":{"id":"1"}}', "`event.type`"],
  ['{"event":{"type":3}}', "`event.type`"],
])("%s is refused", (body, named) => {
  expect(() => revenuecat.read(delivery(body))).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", message: expect.stringContaining(named) }),
  );
});

test("a body that is not UTF-8 is refused", () => {
  const rawBody = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
  expect(() => revenuecat.read(delivery("", {}, { rawBody }))).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR" }),
  );
});

const refused = expect.objectContaining({ code: "UNAUTHORIZED" });
const authenticate = (sent: Delivery) => () => revenuecat.authenticate(sent);

test.each([SECRET, `Bearer ${SECRET}`])("the Authorization value %s is let in", (authorization) => {
  expect(authenticate(delivery("{}", { authorization }))).not.toThrow();
});

test.each([
  "",
  "metacode_valu",
  "metacode_values",
  "METACODE_VALUE",
  `bearer ${SECRET}`,
  `Basic ${SECRET}`,
  `${SECRET}, ${SECRET}`,
])("the Authorization value %j is not", (authorization) => {
  expect(authenticate(delivery("{}", { authorization }))).toThrow(refused);
});

test("no Authorization at all is refused", () => {
  expect(authenticate(delivery("{}"))).toThrow(refused);
});

const BODY = JSON.stringify(recorded("initial_purchase"), null, 2);
const seconds = NOW / 1000;

function v1(time: number | string, body = BODY, key = KEY): string {
  return `v1=${createHmac("sha256", key).update(`${time}.${body}`).digest("hex")}`;
}

function signed(signature: string | undefined, authorization = SECRET): Delivery {
  const headers: Record<string, string> = { authorization };
  if (signature !== undefined) headers["x-revenuecat-webhook-signature"] = signature;
  return delivery(BODY, headers, { signingSecret: KEY });
}

test.each([
  ["of now", `t=${seconds},${v1(seconds)}`],
  ["of five minutes ago", `t=${seconds - 300},${v1(seconds - 300)}`],
  ["of a clock that is ahead", `t=${seconds + 299},${v1(seconds + 299)}`],
  ["beside a signature of the former key", `t=${seconds},v1=${"0".repeat(64)},${v1(seconds)}`],
  ["with spaces and capitals", `t=${seconds}, ${v1(seconds).toUpperCase().replace("V1", "v1")}`],
])("a signature %s is let in", (_, signature) => {
  expect(authenticate(signed(signature))).not.toThrow();
});

test.each([
  ["that is missing", undefined],
  ["that is empty", ""],
  ["without a time", v1(seconds)],
  ["without a v1", `t=${seconds}`],
  ["with an empty v1", `t=${seconds},v1=`],
  ["of another key", `t=${seconds},${v1(seconds, BODY, "other")}`],
  ["of another body", `t=${seconds},${v1(seconds, `${BODY} `)}`],
  ["of another time", `t=${seconds},${v1(seconds - 1)}`],
  ["too old", `t=${seconds - 301},${v1(seconds - 301)}`],
  ["too new", `t=${seconds + 301},${v1(seconds + 301)}`],
  ["with a time that is no number", `t=1e9,${v1("1e9")}`],
  ["of another version", `t=${seconds},${v1(seconds).replace("v1", "v0")}`],
])("a signature %s is refused", (_, signature) => {
  expect(authenticate(signed(signature))).toThrow(refused);
});

test("a signature does not stand in for the Authorization value", () => {
  expect(authenticate(signed(`t=${seconds},${v1(seconds)}`, "wrong"))).toThrow(refused);
});

test("every secret is new", () => {
  expect(new Set(Array.from({ length: 50 }, generateHeaderSecret)).size).toBe(50);
});
