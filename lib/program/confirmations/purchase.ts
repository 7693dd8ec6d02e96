import type { PurchaseView } from "@/lib/contract/provider";
import { stripeSale } from "@/lib/program/providers/stripe/event";

/** The names of a value in the providers' payloads, the most precise first. */
const NAMES = {
  store: ["store", "platform"],
  product: ["product_id", "productId", "productSku", "vendor_product_id", "store_product_id", "product"],
  price: ["price_in_purchased_currency", "priceInPurchasedCurrency", "price_local", "local_price", "price"],
  currency: ["customer_currency", "currency", "currencyCode"],
} as const;

export const PAYLOAD_STORES: [NonNullable<PurchaseView["store"]>, RegExp][] = [
  ["ios", /app_?store|apple|itunes|^ios$/i],
  ["android", /play|google|^android$/i],
  ["other", /stripe|paddle|amazon|web|rc_billing/i],
];

const MAX_DEPTH = 5;

/** The values of a name in a payload, the outermost first. */
function valuesOf(payload: unknown, name: string): unknown[] {
  const found: unknown[] = [];
  let level: unknown[] = [payload];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const objects = level.filter((value): value is object => typeof value === "object" && value !== null);
    for (const object of objects) {
      if (Object.hasOwn(object, name)) found.push((object as Record<string, unknown>)[name]);
    }
    level = objects.flatMap((object) => Object.values(object));
  }
  return found;
}

const firstOf = <Value>(payload: unknown, names: readonly string[], is: (value: unknown) => value is Value) =>
  names.flatMap((name) => valuesOf(payload, name)).find(is);

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isNumber = (value: unknown): value is number => typeof value === "number";

/** Store, product and price of an event, as far as the payload names them. */
export function purchaseOf(payload: unknown): PurchaseView {
  const sale = stripeSale(payload);
  if (sale) return { store: "other", ...sale };
  // Apple's own notifications name no store, and count prices in thousandths.
  const fromApple = valuesOf(payload, "bundleId").some(isText) && !valuesOf(payload, "store").some(isText);
  // The names of Purchasely and of Qonversion come last.
  const price = firstOf(payload, [...NAMES.price, "plan_price_in_customer_currency", "value"], isNumber);
  const currency = firstOf(payload, NAMES.currency, isText)?.slice(0, 3) ?? "";
  return {
    store: fromApple ? "ios" : storeOf(payload),
    product: firstOf(payload, NAMES.product, isText)?.slice(0, 100) ?? null,
    price: price === undefined ? null : `${fromApple ? price / 1_000 : price} ${currency}`.trim(),
  };
}

function storeOf(payload: unknown): PurchaseView["store"] {
  const texts = NAMES.store.flatMap((name) => valuesOf(payload, name)).filter(isText);
  const stores = texts.map((text) => PAYLOAD_STORES.find(([, pattern]) => pattern.test(text))?.[0]);
  return stores.find((store) => store !== undefined) ?? null;
}
