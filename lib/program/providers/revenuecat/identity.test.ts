import { expect, test } from "vitest";
import { revenuecat } from "@/lib/program/providers/revenuecat/adapter";
import { recorded } from "@/lib/testing/provider-events/recorded";

function read(name: string, changes = {}) {
  const rawBody = new TextEncoder().encode(JSON.stringify(recorded(name, changes)));
  return revenuecat.read({ headers: new Headers(), rawBody });
}

test("an event says when it happened and which purchase it is about", () => {
  expect(read("initial_purchase")).toMatchObject({
    occurredAt: 1658726378679,
    purchaseId: "123456789012345",
    links: [],
  });
  const bare = read("initial_purchase", { event_timestamp_ms: "soon", original_transaction_id: 5 });
  expect(bare).toMatchObject({ occurredAt: null, purchaseId: null });
});

test("a transfer links the old ids to the new ones, without anonymous ones", () => {
  const [from, to] = ["00005A1C-6091-4F81-BE77-F0A83A271AB6", "4BEDB450-8EF2-11E9-B475-0800200C9A66"];
  expect(read("transfer").links).toEqual([{ from, to }]);
  const ids = { transferred_from: ["a", "$RCAnonymousID:1", "b", 7], transferred_to: ["c", "a", "d"] };
  expect(read("transfer", ids).links).toEqual([
    { from: "a", to: "c" },
    { from: "b", to: "c" },
    { from: "a", to: "d" },
  ]);
  const many = Array.from({ length: 10_000 }, (_, index) => `id-${index}`);
  expect(read("transfer", { transferred_from: many, transferred_to: many }).links).toHaveLength(98);
  expect(read("transfer", { transferred_to: "x" }).links).toEqual([]);
});

test("an alias event links merged ids to the current one", () => {
  const merged = { type: "SUBSCRIBER_ALIAS", app_user_id: "new", original_app_user_id: "old" };
  expect(
    read("initial_purchase", { ...merged, aliases: ["$RCAnonymousID:1", "older", "new"] }).links,
  ).toEqual([
    { from: "old", to: "new" },
    { from: "older", to: "new" },
  ]);
});
