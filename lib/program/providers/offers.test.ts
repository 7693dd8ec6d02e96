import { expect, test } from "vitest";
import type { ProviderName } from "@/lib/program/providers/registry";
import { about, data, inEvent, type Patch, readPatched } from "@/lib/testing/provider-events/patched";

/** A renewal with an offer in each provider that names offers. */
const RENEWALS: [
  ProviderName,
  string,
  (offer: string, store: string) => Patch,
  { apple: string; google: string },
][] = [
  [
    "revenuecat",
    "RENEWAL",
    (offer_code, store) => inEvent({ offer_code, store }),
    { apple: "APP_STORE", google: "PLAY_STORE" },
  ],
  [
    "superwall",
    "renewal",
    (offerCode, store) => data({ offerCode, store }),
    { apple: "APP_STORE", google: "PLAY_STORE" },
  ],
  [
    "iaphub",
    "subscription_renewal",
    (promoCode, platform) => data({ promoCode, platform }),
    { apple: "ios", google: "android" },
  ],
  [
    "adapty",
    "subscription_renewed",
    (offer, store) => about({ store_offer_category: offer && "offer_code", store }),
    { apple: "app_store", google: "play_store" },
  ],
  [
    "purchasely",
    "SUBSCRIPTION_RENEWED",
    (offer, store) => ({ offer_type: offer ? "PROMO_CODE" : "NONE", store }),
    { apple: "APPLE_APP_STORE", google: "GOOGLE_PLAY_STORE" },
  ],
];

test.each(RENEWALS)(
  "%s %s with an offer shows a code in the App Store and not on Google Play, which repeats the first purchase's code",
  (name, type, about, { apple, google }) => {
    const renewal = (offer: string, store: string) =>
      readPatched(name, type, about(offer, store)).confirmation;
    expect(renewal("spring", apple)).toMatchObject({ kind: "confirm", renewal: false });
    expect(renewal("spring", google)).toMatchObject({ kind: "confirm", renewal: true });
    expect(renewal("", apple)).toMatchObject({ kind: "confirm", renewal: true });
  },
);

test.each<[ProviderName, string, Patch]>([
  ["revenuecat", "RENEWAL", inEvent({ store: "PLAY_STORE", is_trial_conversion: true })],
  ["revenuecat", "RENEWAL", inEvent({ store: "PLAY_STORE", period_type: "INTRO" })],
  ["superwall", "renewal", data({ store: "PLAY_STORE", isTrialConversion: true })],
  ["iaphub", "subscription_renewal", data({ platform: "android", isTrialConversion: true })],
  ["revenuecat", "INITIAL_PURCHASE", inEvent({ store: "PLAY_STORE", offer_code: "spring" })],
  ["superwall", "initial_purchase", data({ store: "PLAY_STORE", offerCode: "spring" })],
  ["iaphub", "purchase", data({ platform: "android", promoCode: "spring" })],
  ["adapty", "subscription_started", about({ store: "play_store", store_offer_category: "offer_code" })],
  ["purchasely", "PROMO_CODE_STARTED", { store: "GOOGLE_PLAY_STORE", offer_type: "PROMO_CODE" }],
  ["purchasely", "SUBSCRIPTION_REACTIVATED", { store: "GOOGLE_PLAY_STORE", offer_type: "PROMO_CODE" }],
])("on Google Play %s %s with %j still confirms", (name, type, patch) => {
  expect(readPatched(name, type, patch).confirmation).toMatchObject({ kind: "confirm", renewal: false });
});

const TRIAL_CONVERSIONS: [ProviderName, string, Patch, Patch][] = [
  ["revenuecat", "RENEWAL", inEvent({ is_trial_conversion: true }), inEvent({ offer_code: "spring" })],
  ["superwall", "renewal", data({ isTrialConversion: true }), data({ offerCode: "spring" })],
  ["superwall", "renewal", data({ periodType: "TRIAL", price: 9.99 }), data({ offerCode: "spring" })],
  ["iaphub", "subscription_renewal", data({ isTrialConversion: true }), data({ promoCode: "spring" })],
];

test.each(TRIAL_CONVERSIONS)(
  "%s %s with %j is the payment of a trial, and with a code it is none",
  (name, type, converts, code) => {
    const payment = { kind: "confirm", paid: true, renewal: false };
    const read = (patch: Patch) => readPatched(name, type, patch).confirmation;
    expect(read(converts)).toMatchObject({ ...payment, conversion: true });
    expect(read(code)).toMatchObject({ ...payment, conversion: undefined });
  },
);

test.each<[ProviderName, string, string]>([
  ["adapty", "trial_converted", "subscription_started"],
  ["qonversion", "trial_converted", "subscription_started"],
  ["apphud", "trial_converted", "promo_renewed"],
  ["purchasely", "TRIAL_CONVERTED", "SUBSCRIPTION_STARTED"],
])("%s %s is the payment of a trial, and %s is none", (name, converted, started) => {
  const read = (type: string) => readPatched(name, type, {}).confirmation;
  expect(read(converted)).toMatchObject({ kind: "confirm", renewal: false, conversion: true });
  expect(read(started)).toMatchObject({ kind: "confirm", renewal: false, conversion: undefined });
});

test.each<[ProviderName, string, Patch]>([
  ["adapty", "subscription_refunded", about({ cancellation_reason: "upgraded" })],
  ["adapty", "subscription_refunded", about({ cancellation_reason: "new_subscription_replace" })],
  ["iaphub", "refund", data({ isRefunded: true, refundReason: "subscription_replaced" })],
  ["iaphub", "refund", data({ isRefunded: true, refundReason: "subscription_replace" })],
  ["iaphub", "subscription_expire", data({ isRefunded: true, refundReason: "subscription_replaced" })],
])("%s %s with %j is the end of an old plan and reverses nothing", (name, type, patch) => {
  expect(readPatched(name, type, patch).confirmation.kind).toBe("ignore");
});
