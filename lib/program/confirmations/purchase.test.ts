import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { purchaseOf } from "@/lib/program/confirmations/purchase";

const payload = (file: string) =>
  JSON.parse(readFileSync(`${import.meta.dirname}/../providers/fixtures/${file}.json`, "utf8"));

test.each([
  ["revenuecat/initial_purchase", "ios"],
  ["adapty/subscription_started", "android"],
  ["apphud/subscription_started", "android"],
  ["iaphub/purchase", "android"],
  ["superwall/renewal", "ios"],
  ["purchasely/subscription_started", "ios"],
])("the store and the product of %s are read from its payload", (file, store) => {
  const purchase = purchaseOf(payload(file));
  expect(purchase.store).toBe(store);
  expect(purchase.product).toEqual(expect.any(String));
});

test("the price is the one that the buyer saw, with its currency", () => {
  expect(purchaseOf(payload("iaphub/purchase")).price).toBe("9.99 EUR");
  expect(purchaseOf(payload("qonversion/trial_converted_legacy_docs")).price).toBe("7.99 EUR");
  expect(purchaseOf({ event: { price: 4, price_in_purchased_currency: 3.5, currency: "GBP" } }).price).toBe(
    "3.5 GBP",
  );
  const paid = { plan_price_in_customer_currency: 9.99, plan_price_in_usd: 10.8, customer_currency: "EUR" };
  expect(purchaseOf({ ...payload("purchasely/subscription_started"), ...paid }).price).toBe("9.99 EUR");
});

test("Apple's own prices are thousandths", () => {
  expect(purchaseOf({ data: { bundleId: "a.b", transaction: { price: 10990, currency: "USD" } } })).toEqual({
    store: "ios",
    product: null,
    price: "10.99 USD",
  });
});

const two = (unit_amount: number | null) => [{ price: { product: "p", unit_amount }, quantity: 2 }];

test.each([
  [{ amount_total: 400, currency: "usd" }, null, "4 USD"],
  [{ amount_paid: 1_999, currency: "eur", lines: { data: two(5) } }, "p", "19.99 EUR"],
  [{ amount_paid: 0, lines: { data: [{ pricing: { price_details: { product: "p" } } }] } }, "p", "0"],
  [{ currency: "jpy", items: { data: two(500) } }, "p", "1000 JPY"],
  [{ currency: "kwd", items: { data: two(5_120) } }, "p", "10.24 KWD"],
  [{ currency: "usd", items: { data: two(null) } }, "p", null],
])("Stripe's %j is of the product %s and the price %s, in a web shop", (object, product, price) => {
  expect(purchaseOf({ object: "event", data: { object } })).toEqual({ store: "other", product, price });
  expect(purchaseOf({ event: { store: "RC_BILLING" } }).store).toBe("other");
});

test("a payload without these values, or of another type than an object, yields none", () => {
  for (const nothing of [{}, "text", null, [], { store: "5d86507259e828b8fe321f84", price: "9" }]) {
    expect(purchaseOf(nothing)).toEqual({ store: null, product: null, price: null });
  }
});
