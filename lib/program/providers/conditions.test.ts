import { expect, test } from "vitest";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { about, data, inEvent, object, type Patch, readPatched } from "@/lib/testing/provider-events/patched";
import { PROVIDER_NAMES } from "@/lib/testing/provider-events/samples";

const bought = (id: string, environment: string) => ({ original_transaction_id: id, environment });

const GRANTS = ["adapty_promotion", "adapty_dashboard_product", "adapty_server_side_product"];
const PAID = { plan_price_in_customer_currency: 0.99 };

/** The new product of an App Store subscription, within the chain of the old one. */
const PLAN_CHANGE = { store: "app_store", transaction_id: "2", original_transaction_id: "1" };

/** A price that is paid after each period, by the use in it. */
const METERED = { unit_amount: 5, recurring: { usage_type: "metered" } };
const active = (price: object) => object({ status: "active", items: { data: [{ price }] } });

/** The fields of each provider that decide beside the type, and the resulting effect of the event. */
const CASES: [ProviderName, string, Patch, object][] = [
  ["adapty", "trial_started", {}, { kind: "confirm", paid: false }],
  ["adapty", "trial_converted", about({ store_offer_discount_type: "free_trial" }), { paid: true }],
  ["adapty", "subscription_started", about({ price_usd: 0, store: "play_store" }), { paid: false }],
  ["adapty", "subscription_started", about({ price_usd: null, store: "play_store" }), { paid: true }],
  ["adapty", "subscription_started", about(PLAN_CHANGE), { kind: "confirm", renewal: true }],
  ["adapty", "subscription_initial_purchase", about(PLAN_CHANGE), { renewal: true }],
  ["adapty", "trial_converted", about(PLAN_CHANGE), { renewal: false }],
  ["adapty", "subscription_started", about({ ...PLAN_CHANGE, transaction_id: "1" }), { renewal: false }],
  ["adapty", "subscription_started", about({ ...PLAN_CHANGE, store: "play_store" }), { renewal: false }],
  ["adapty", "subscription_started", about({ store_offer_discount_type: "free_trial" }), { paid: false }],
  ["adapty", "Subscription Started", {}, { kind: "confirm" }],
  ["adapty", "subscription_renewed", about({ store_offer_category: "offer_code" }), { renewal: false }],
  [
    ...(["adapty", "subscription_started"] as const),
    about({ ...PLAN_CHANGE, store_offer_category: "offer_code" }),
    { renewal: false },
  ],
  ["adapty", "subscription_renewed", about({ store_offer_category: "promotional" }), { renewal: true }],
  ["adapty", "subscription_refunded", about({ cancellation_reason: "refund" }), { kind: "reverse" }],
  ...GRANTS.map((product): [ProviderName, string, Patch, object] => [
    ...(["adapty", "subscription_started", about({ vendor_product_id: product })] as const),
    { kind: "ignore" },
  ]),
  ["adapty", "subscription_started", about({ store: "stripe" }), { kind: "ignore" }],
  ["adapty", "subscription_started", about({ environment: "Production" }), { sandbox: false }],
  [
    ...(["adapty", "access_level_updated"] as const),
    about({ vendor_product_id: "adapty_dashboard_product", environment: "Sandbox" }),
    { kind: "ignore", sandbox: true },
  ],
  ["superwall", "initial_purchase", data({ periodType: "TRIAL" }), { kind: "confirm", paid: false }],
  ["superwall", "initial_purchase", data({ isFamilyShare: true, price: 0 }), { kind: "ignore" }],
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
  ["purchasely", "SUBSCRIPTION_STARTED", { ...PAID, offer_type: "FREE_TRIAL" }, { paid: false }],
  ["purchasely", "PROMO_CODE_STARTED", { offer_type: "PROMO_CODE" }, { kind: "confirm", paid: false }],
  ["purchasely", "PROMO_CODE_CONVERTED", { offer_type: "PROMO_CODE" }, { kind: "confirm", paid: true }],
  ["purchasely", "SUBSCRIPTION_RENEWED", { offer_type: "PROMO_CODE" }, { kind: "confirm", renewal: false }],
  ["purchasely", "ACTIVATE", { purchase_type: "CONSUMABLE" }, { kind: "confirm", renewal: false }],
  ["purchasely", "ACTIVATE", { purchase_type: "CONSUMABLE", purchased_at_ms: 1.6e12 }, { renewal: true }],
  ["purchasely", "ACTIVATE", { purchase_type: "RENEWING_SUBSCRIPTION" }, { kind: "ignore" }],
  ["purchasely", "SUBSCRIPTION_STARTED", { is_family_shared: true }, { kind: "ignore" }],
  ["purchasely", "SUBSCRIPTION_STARTED", { store: "AMAZON_APPSTORE" }, { kind: "ignore" }],
  [
    ...(["purchasely", "SUBSCRIPTION_TRANSFERRED"] as const),
    { store: "AMAZON_APPSTORE", environment: "SANDBOX" },
    { kind: "ignore", sandbox: true },
  ],
  ["purchasely", "SUBSCRIPTION_STARTED", { environment: "PRODUCTION" }, { sandbox: false }],
  ["iaphub", "purchase", data({ subscriptionPeriodType: "trial" }), { kind: "confirm", paid: false }],
  ["iaphub", "purchase", data({ isFamilyShare: true }), { kind: "ignore" }],
  ["iaphub", "purchase", data({ platform: "amazon" }), { kind: "ignore" }],
  ["iaphub", "purchase", data({ isSandbox: false }), { sandbox: false }],
  ["iaphub", "subscription_renewal", data({ promoCode: "spring" }), { kind: "confirm", renewal: false }],
  ["iaphub", "subscription_expire", data({ isRefunded: true }), { kind: "reverse" }],
  ["iaphub", "subscription_cancel", data({ isRefunded: true }), { kind: "ignore" }],
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
  [
    ...(["stripe", "customer.subscription.created"] as const),
    object({ status: "active", collection_method: "send_invoice" }),
    { kind: "confirm", paid: false },
  ],
  ["stripe", "customer.subscription.created", object({ status: "incomplete" }), { kind: "ignore" }],
  ["stripe", "customer.subscription.updated", object({ status: "active" }), { kind: "ignore" }],
  [
    ...(["stripe", "customer.subscription.updated"] as const),
    { data: { object: { status: "active" }, previous_attributes: { status: "incomplete" } } },
    { kind: "confirm", paid: true, renewal: false },
  ],
  [
    ...(["stripe", "customer.subscription.updated"] as const),
    { data: { object: { status: "active" }, previous_attributes: { status: "trialing" } } },
    { kind: "confirm", paid: false, renewal: false },
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
    { paid: true, renewal: true },
  ],
  [
    "stripe",
    "invoice.paid",
    object({ billing_reason: "subscription_update", amount_paid: 5 }),
    { kind: "confirm", paid: true, renewal: true },
  ],
  ["stripe", "invoice.paid", object({ billing_reason: "manual" }), { kind: "ignore" }],
  ["stripe", "charge.refunded", object({ refunded: true }), { kind: "reverse" }],
  ["stripe", "charge.refunded", object({ refunded: false }), { kind: "ignore" }],
  ["stripe", "charge.refunded", object({ refunded: true, captured: false }), { kind: "ignore" }],
  ["stripe", "charge.refunded", {}, { kind: "ignore" }],
  ["stripe", "charge.captured", object({ captured: true }), { kind: "confirm", paid: true, renewal: false }],
  ["stripe", "charge.dispute.closed", object({ status: "lost" }), { kind: "reverse" }],
  ["stripe", "charge.dispute.closed", object({ status: "won" }), { kind: "ignore" }],
  [
    "revenuecat",
    "INITIAL_PURCHASE",
    inEvent({ price: 0, offer_code: "FREE3M" }),
    { kind: "confirm", paid: false },
  ],
  ["revenuecat", "INITIAL_PURCHASE", inEvent({ price: null }), { kind: "confirm", paid: true }],
  ["revenuecat", "INITIAL_PURCHASE", inEvent({ price: 4.99 }), { kind: "confirm", paid: true }],
  ["revenuecat", "NON_RENEWING_PURCHASE", inEvent({ price: 0 }), { kind: "confirm", paid: false }],
  ["adapty", "subscription_started", about({ price_usd: 0 }), { kind: "confirm", paid: false }],
  ["adapty", "subscription_started", about({ price_usd: 4.99 }), { kind: "confirm", paid: true }],
  ["purchasely", "SUBSCRIPTION_STARTED", { plan_price_in_customer_currency: 0 }, { paid: false }],
  ["purchasely", "PROMO_CODE_CONVERTED", { plan_price_in_customer_currency: 0 }, { paid: false }],
  ["purchasely", "SUBSCRIPTION_STARTED", { ...PAID, offer_type: "PROMO_CODE" }, { paid: true }],
  ["superwall", "initial_purchase", data({ price: 0 }), { kind: "confirm", paid: false }],
  ["qonversion", "subscription_started", { revenue: { value: 0 } }, { kind: "confirm", paid: false }],
  ["qonversion", "subscription_started", { revenue: { value: 7.99 } }, { kind: "confirm", paid: true }],
  ["qonversion", "subscription_started", { is_family_shared: true }, { kind: "ignore" }],
  ["qonversion", "subscription_started", { platform: "Stripe" }, { kind: "ignore" }],
  ["qonversion", "subscription_started", { store: "stripe", platform: "iOS" }, { kind: "ignore" }],
  ["qonversion", "subscription_started", { platform: "iOS" }, { kind: "confirm" }],
  ["apphud", "subscription_started", { event: { properties: { usd_price: 0 } } }, { paid: false }],
  ["iaphub", "purchase", data({ price: 0 }), { kind: "confirm", paid: false }],
  [
    "stripe",
    "customer.subscription.created",
    object({ status: "active", discounts: ["di_1"] }),
    { kind: "confirm", paid: false },
  ],
  ["stripe", "customer.subscription.created", active({ unit_amount: 0 }), { kind: "confirm", paid: false }],
  ["stripe", "customer.subscription.created", active(METERED), { kind: "confirm", paid: false }],
  [
    "stripe",
    "invoice.paid",
    object({ billing_reason: "subscription_create", amount_paid: 5 }),
    { paid: true },
  ],
];

/** The field in which each provider names the store, within its sample of a purchase. */
const STORES: [ProviderName, string, (store: string) => Patch, string[]][] = [
  ["revenuecat", "INITIAL_PURCHASE", (store) => inEvent({ store }), ["RC_BILLING", "STRIPE", "PADDLE"]],
  ["adapty", "subscription_started", (store) => about({ store }), ["stripe", "paddle"]],
  ["superwall", "initial_purchase", (store) => data({ store }), ["STRIPE", "PADDLE"]],
  ["qonversion", "subscription_started", (store) => ({ store }), ["Stripe"]],
  ["apphud", "subscription_started", (store) => inEvent({ store }), ["stripe", "paddle"]],
  ["purchasely", "SUBSCRIPTION_STARTED", (store) => ({ store }), ["STRIPE"]],
  ["iaphub", "purchase", (platform) => data({ platform }), ["web", "stripe"]],
];

test("every provider that can count web purchases is tried", () => {
  const names = PROVIDER_NAMES.filter((name) => PROVIDERS[name].webPurchases);
  expect(STORES.map(([name]) => name).sort()).toEqual(names.sort());
});

test.each(STORES)(
  "%s counts a purchase on the web only where its owner wants so",
  (name, type, at, shops) => {
    for (const shop of shops) {
      expect(readPatched(name, type, at(shop)).confirmation.kind).toBe("ignore");
      expect(readPatched(name, type, at(shop), true).confirmation.kind).toBe("confirm");
    }
    for (const shop of ["AMAZON", "ROKU", "PROMOTIONAL", "A_NEW_ONE"]) {
      expect(readPatched(name, type, at(shop), true).confirmation.kind).toBe("ignore");
    }
  },
);

test.each(CASES)("%s %s with %j: %j", (name, type, patch, expected) => {
  expect(readPatched(name, type, patch).confirmation).toMatchObject(expected);
});
