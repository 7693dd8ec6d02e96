import { expect, test } from "vitest";
import { PROVIDERS, type ProviderName } from "@/lib/program/providers/registry";
import { about, data, object, type Patch, readPatched } from "@/lib/testing/provider-events/patched";

const user = (ids: Patch) => ({ user: { user_id: undefined, ...ids } });

/** The ids that count: the app's own first, a provider's only if there is no other. */
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
  expect(readPatched(name, type, patch).uids).toEqual(uids);
});

test.each(IDS.filter(([name]) => ["adapty", "apphud", "purchasely"].includes(name)))(
  "%s with %j is marked where the provider sends only an id of its own, which looks like any other",
  (name, patch, uids) => {
    const type = PROVIDERS[name].events[0]?.types[0] ?? "";
    const { confirmation } = readPatched(name, type, patch);
    expect(confirmation.unnamed).toBe(["p", "own", "a"].includes(uids[0] ?? "") ? true : undefined);
  },
);

test.each<[ProviderName, Patch, true | undefined]>([
  ["qonversion", { identity_id: "", custom_user_id: "", user_id: "q" }, true],
  ["qonversion", { identity_id: "", custom_user_id: "c", user_id: "q" }, undefined],
  ["stripe", object({ metadata: null, customer: "cus_1" }), true],
  ["stripe", object({ metadata: { app_user_id: "u" }, customer: "cus_1" }), undefined],
  ["stripe", object({ metadata: null, client_reference_id: "r", customer: "cus_1" }), undefined],
])("%s with %j is marked %s where it has only the provider's own id", (name, patch, unnamed) => {
  const type = PROVIDERS[name].events[0]?.types[0] ?? "";
  expect(readPatched(name, type, patch).confirmation.unnamed).toBe(unnamed);
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
  ["iaphub", "transfer", { fromUserId: "f", toUserId: "t" }, [{ from: "f", to: "t" }]],
  ["iaphub", "purchase", { fromUserId: "f", toUserId: "t" }, []],
  [
    ...(["purchasely", "SUBSCRIPTION_TRANSFERRED", { user_id: "u", transferred_to_user_id: "n" }] as const),
    [{ from: "u", to: "n" }],
  ],
  ["purchasely", "SUBSCRIPTION_TRANSFERRED", { user_id: undefined, transferred_to_user_id: "n" }, []],
  [
    ...(["purchasely", "SUBSCRIPTION_TRANSFERRED"] as const),
    { user_id: undefined, anonymous_user_id: "a", transferred_to_user_id: "n" },
    [{ from: "a", to: "n" }],
  ],
  [
    ...(["purchasely", "SUBSCRIPTION_RECEIVED"] as const),
    { user_id: "n", transferred_from_anonymous_user_id: "a" },
    [{ from: "a", to: "n" }],
  ],
  [
    ...(["purchasely", "SUBSCRIPTION_RECEIVED"] as const),
    { user_id: undefined, anonymous_user_id: "a", transferred_from_user_id: "u" },
    [],
  ],
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
  expect(readPatched(name, type, patch).links).toEqual(links);
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
  ["stripe", object({ id: "du_1", payment_intent: null, charge: "ch_1" }), "ch_1"],
])("%s with %j is about the purchase %s", (name, patch, purchaseId) => {
  expect(readPatched(name, PROVIDERS[name].events[0]?.types[0] ?? "", patch).purchaseId).toBe(purchaseId);
});
