import { expect, test } from "vitest";
import { PROVIDERS, type ProviderName } from "@/lib/providers/registry";
import { sampleOf } from "@/lib/testing/deliveries";

type Patch = Record<string, unknown>;

/** An event like the provider's sample of a purchase, with its type and some fields replaced, however deep. */
function read(name: ProviderName, type: string, patch: Patch = {}) {
  const body = (text: string) => JSON.stringify(merge(JSON.parse(text), patch));
  return PROVIDERS[name].adapter.read(sampleOf(name, { type, body }));
}

function merge(value: unknown, patch: unknown): unknown {
  const isObject = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (!isObject(value) || !isObject(patch)) return patch;
  const changed = Object.entries(patch as Patch).map(([key, part]) => [
    key,
    merge((value as Patch)[key], part),
  ]);
  return { ...(value as Patch), ...Object.fromEntries(changed) };
}

const about = (patch: Patch) => ({ event_properties: patch });
const data = (patch: Patch) => ({ data: patch });
const object = (patch: Patch) => ({ data: { object: { app: 1, ...patch } } });

const bought = (id: string, environment: string) => ({ original_transaction_id: id, environment });

const GRANTS = ["adapty_promotion", "adapty_dashboard_product", "adapty_server_side_product"];

/** Each provider's fields that decide beside the type: what they make of the event. */
const CASES: [ProviderName, string, Patch, object][] = [
  ["adapty", "trial_started", {}, { kind: "confirm", paid: false }],
  ["adapty", "trial_converted", about({ store_offer_discount_type: "free_trial" }), { paid: true }],
  [
    "adapty",
    "subscription_started",
    about({ price_usd: 0, store: "play_store" }),
    { kind: "confirm", paid: true },
  ],
  ["adapty", "subscription_started", about({ store_offer_discount_type: "free_trial" }), { paid: false }],
  ["adapty", "Subscription Started", {}, { kind: "confirm" }],
  ["adapty", "subscription_renewed", about({ store_offer_category: "offer_code" }), { renewal: false }],
  ["adapty", "subscription_renewed", about({ store_offer_category: "promotional" }), { renewal: true }],
  ["adapty", "subscription_refunded", about({ cancellation_reason: "refund" }), { kind: "reverse" }],
  ["adapty", "subscription_refunded", about({ cancellation_reason: "upgraded" }), { kind: "ignore" }],
  [
    "adapty",
    "subscription_refunded",
    about({ cancellation_reason: "new_subscription_replace" }),
    { kind: "ignore" },
  ],
  ...GRANTS.map((product): [ProviderName, string, Patch, object] => [
    ...(["adapty", "subscription_started", about({ vendor_product_id: product })] as const),
    { kind: "ignore" },
  ]),
  ["adapty", "subscription_started", about({ store: "stripe" }), { kind: "ignore" }],
  ["adapty", "subscription_started", about({ environment: "Production" }), { sandbox: false }],
  ["superwall", "initial_purchase", data({ periodType: "TRIAL" }), { kind: "confirm", paid: false }],
  ["superwall", "initial_purchase", data({ isFamilyShare: true }), { kind: "ignore" }],
  ["superwall", "initial_purchase", data({ store: "PADDLE" }), { kind: "ignore" }],
  ["superwall", "renewal", data({ offerCode: "spring" }), { kind: "confirm", renewal: false }],
  [
    "superwall",
    "renewal",
    data({ periodType: "TRIAL", isTrialConversion: true }),
    { paid: true, renewal: false },
  ],
  ["superwall", "renewal", data({ price: -9.99 }), { kind: "reverse" }],
  ["superwall", "cancellation", data({ price: 0, cancelReason: "CUSTOMER_SUPPORT" }), { kind: "reverse" }],
  ["superwall", "cancellation", data({ cancelReason: "UNSUBSCRIBE" }), { kind: "ignore" }],
  ["superwall", "initial_purchase", data({ environment: "PRODUCTION" }), { sandbox: false }],
  ["qonversion", "trial_started", {}, { kind: "confirm", paid: false }],
  ["qonversion", "Trial Converted", {}, { kind: "confirm", paid: true }],
  ["qonversion", "in_app_purchase", { environment: undefined }, { kind: "confirm", sandbox: false }],
  ["apphud", "trial_started", {}, { kind: "confirm", paid: false }],
  ["apphud", "promo_started", { event: { properties: { usd_price: 0 } } }, { kind: "confirm", paid: false }],
  [
    "apphud",
    "intro_started",
    { event: { properties: { usd_price: 0.99 } } },
    { kind: "confirm", paid: true },
  ],
  ["apphud", "promo_renewed", {}, { kind: "confirm", renewal: false }],
  ["apphud", "subscription_started", { event: { properties: { family_shared: true } } }, { kind: "ignore" }],
  ["apphud", "subscription_started", { event: { store: "stripe" } }, { kind: "ignore" }],
  ["apphud", "subscription_started", { user: { subscriptions: [] } }, { sandbox: false }],
  [
    "apphud",
    "subscription_started",
    { user: { subscriptions: [{ environment: "sandbox" }] } },
    { sandbox: true },
  ],
  [
    ...(["apphud", "subscription_started"] as const),
    { user: { subscriptions: [bought("test:a", "production"), bought("b", "sandbox")] } },
    { kind: "confirm", sandbox: false },
  ],
  ["purchasely", "TRIAL_STARTED", {}, { kind: "confirm", paid: false }],
  ["purchasely", "SUBSCRIPTION_STARTED", { offer_type: "FREE_TRIAL" }, { kind: "confirm", paid: false }],
  ["purchasely", "PROMO_CODE_STARTED", { offer_type: "PROMO_CODE" }, { kind: "confirm", paid: false }],
  ["purchasely", "PROMO_CODE_CONVERTED", { offer_type: "PROMO_CODE" }, { kind: "confirm", paid: true }],
  ["purchasely", "SUBSCRIPTION_RENEWED", { offer_type: "PROMO_CODE" }, { kind: "confirm", renewal: false }],
  ["purchasely", "ACTIVATE", { purchase_type: "CONSUMABLE" }, { kind: "confirm", renewal: false }],
  ["purchasely", "ACTIVATE", { purchase_type: "RENEWING_SUBSCRIPTION" }, { kind: "ignore" }],
  ["purchasely", "SUBSCRIPTION_STARTED", { is_family_shared: true }, { kind: "ignore" }],
  ["purchasely", "SUBSCRIPTION_STARTED", { store: "AMAZON_APPSTORE" }, { kind: "ignore" }],
  ["purchasely", "SUBSCRIPTION_STARTED", { environment: "PRODUCTION" }, { sandbox: false }],
  ["iaphub", "purchase", data({ subscriptionPeriodType: "trial" }), { kind: "confirm", paid: false }],
  ["iaphub", "purchase", data({ isFamilyShare: true }), { kind: "ignore" }],
  ["iaphub", "purchase", data({ platform: "amazon" }), { kind: "ignore" }],
  ["iaphub", "purchase", data({ isSandbox: false }), { sandbox: false }],
  ["iaphub", "subscription_renewal", data({ promoCode: "spring" }), { kind: "confirm", renewal: false }],
  ["stripe", "checkout.session.completed", object({ payment_status: "unpaid" }), { kind: "ignore" }],
  ["stripe", "checkout.session.completed", object({ mode: "setup" }), { kind: "ignore" }],
  [
    "stripe",
    "checkout.session.completed",
    object({ payment_status: "no_payment_required" }),
    { paid: false },
  ],
  [
    "stripe",
    "checkout.session.completed",
    { livemode: true },
    { kind: "confirm", paid: true, sandbox: false },
  ],
  ["stripe", "checkout.session.async_payment_succeeded", {}, { kind: "confirm", paid: true }],
  [
    "stripe",
    "customer.subscription.created",
    object({ status: "trialing" }),
    { kind: "confirm", paid: false },
  ],
  ["stripe", "customer.subscription.created", object({ status: "active" }), { kind: "confirm", paid: true }],
  ["stripe", "customer.subscription.created", object({ status: "incomplete" }), { kind: "ignore" }],
  ["stripe", "customer.subscription.updated", object({ status: "active" }), { kind: "ignore" }],
  [
    ...(["stripe", "customer.subscription.updated"] as const),
    { data: { object: { status: "active" }, previous_attributes: { status: "trialing" } } },
    { kind: "confirm", paid: true, renewal: false },
  ],
  [
    "stripe",
    "invoice.paid",
    object({ billing_reason: "subscription_create" }),
    { kind: "confirm", paid: false },
  ],
  [
    "stripe",
    "invoice.paid",
    object({ billing_reason: "subscription_cycle", amount_paid: 5 }),
    { renewal: true },
  ],
  ["stripe", "invoice.paid", object({ billing_reason: "manual" }), { kind: "ignore" }],
  ["stripe", "charge.refunded", object({ refunded: true }), { kind: "reverse" }],
  ["stripe", "charge.refunded", object({ refunded: false }), { kind: "ignore" }],
  ["stripe", "charge.refunded", {}, { kind: "ignore" }],
];

test.each(CASES)("%s %s with %j: %j", (name, type, patch, expected) => {
  expect(read(name, type, patch).confirmation).toMatchObject(expected);
});

const user = (ids: Patch) => ({ user: { user_id: undefined, ...ids } });

/** Whose id counts: the app's own first, a provider's only where there is no other. */
const IDS: [ProviderName, Patch, string[]][] = [
  ["adapty", { customer_user_id: null, profile_id: "p" }, ["p"]],
  ["adapty", { customer_user_id: "null", profile_id: "p" }, ["p"]],
  ["adapty", { customer_user_id: "c", profile_id: "p" }, ["c"]],
  ["superwall", data({ originalAppUserId: null }), []],
  ["superwall", data({ originalAppUserId: "$SuperwallAlias:1" }), ["$SuperwallAlias:1"]],
  ["qonversion", { identity_id: "i", custom_user_id: "c" }, ["i", "c"]],
  ["qonversion", { identity_id: "", custom_user_id: "", user_id: "q" }, ["q"]],
  ["apphud", user({ user_id: "u", uid: "own" }), ["u"]],
  ["apphud", user({ uid: "own" }), ["own"]],
  ["purchasely", { user_id: "u", anonymous_user_id: "a" }, ["u"]],
  ["purchasely", { user_id: undefined, anonymous_user_id: "a" }, ["a"]],
  ["iaphub", data({ user: "own", userId: "u" }), ["u"]],
  ["iaphub", data({ user: "own", userId: undefined }), []],
  ["stripe", object({ metadata: { uid: "u", app_user_id: "a" }, client_reference_id: "r" }), ["a", "r"]],
  ["stripe", object({ metadata: null, client_reference_id: "r", customer: "cus_1" }), ["r", "cus_1"]],
  ["stripe", object({ metadata: null, customer: { id: "cus_1", name: "x" } }), ["cus_1"]],
  ["stripe", object({ metadata: null, subscription_details: { metadata: { app_user_id: "s" } } }), ["s"]],
  [
    "stripe",
    object({ metadata: null, parent: { subscription_details: { metadata: { user_id: "p" } } } }),
    ["p"],
  ],
];

test.each(IDS)("%s with %j is %j", (name, patch, uids) => {
  const type = PROVIDERS[name].events[0]?.types[0] ?? "";
  expect(read(name, type, patch).uids).toEqual(uids);
});

const LINKS: [ProviderName, string, Patch, { from: string; to: string }[]][] = [
  ["iaphub", "user_id_update", { oldUserId: "o", newUserId: "n" }, [{ from: "o", to: "n" }]],
  [
    ...(["iaphub", "user_id_update", { oldUserIds: ["o", "p"], newUserIds: ["n"] }] as const),
    [
      { from: "o", to: "n" },
      { from: "p", to: "n" },
    ],
  ],
  ["iaphub", "purchase", { oldUserId: "o", newUserId: "n" }, []],
  [
    ...(["purchasely", "SUBSCRIPTION_TRANSFERRED", { user_id: "u", transferred_to_user_id: "n" }] as const),
    [{ from: "u", to: "n" }],
  ],
  ["purchasely", "SUBSCRIPTION_TRANSFERRED", { user_id: undefined, transferred_to_user_id: "n" }, []],
  [
    ...(["adapty", "access_level_updated"] as const),
    {
      customer_user_id: "b",
      profiles_sharing_access_level: [{ customer_user_id: "a" }, { customer_user_id: "b" }, 5],
    },
    [{ from: "a", to: "b" }],
  ],
  ["adapty", "subscription_started", { profiles_sharing_access_level: [{ customer_user_id: "a" }] }, []],
  [
    ...(["stripe", "checkout.session.completed"] as const),
    object({ customer: "cus_1", metadata: { app_user_id: "u" } }),
    [{ from: "cus_1", to: "u" }],
  ],
];

test.each(LINKS)("%s %s with %j links %j", (name, type, patch, links) => {
  expect(read(name, type, patch).links).toEqual(links);
});

test.each<[ProviderName, Patch, string]>([
  ["adapty", about({ original_transaction_id: 12 }), "12"],
  ["superwall", data({ originalTransactionId: "7" }), "7"],
  ["qonversion", { transaction: { original_transaction_id: 2000000123456789 } }, "2000000123456789"],
  ["apphud", { event: { receipt: { original_transaction_id: "GPA.1" } } }, "GPA.1"],
  ["purchasely", { store_original_transaction_id: "9" }, "9"],
  ["iaphub", data({ id: "5da2" }), "5da2"],
  ["stripe", object({ id: "cs_1", subscription: "sub_1" }), "sub_1"],
  ["stripe", object({ id: "sub_2" }), "sub_2"],
  ["stripe", object({ id: "ch_1", payment_intent: "pi_1" }), "pi_1"],
])("%s with %j is about the purchase %s", (name, patch, purchaseId) => {
  expect(read(name, PROVIDERS[name].events[0]?.types[0] ?? "", patch).purchaseId).toBe(purchaseId);
});
