import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { applyEvent, type EventOptions } from "@/lib/testing/confirm";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

useService();

/** Times after the redemptions. */
const START = Date.now();
const DAY = (day: number) => START + day * DAY_MS;

/** A trial, the plain renewal that pays for it, and another purchase, which is refunded. */
const EVENTS: [Confirmation["kind"], EventOptions & { purchase: string }][] = [
  ["confirm", { at: DAY(1), purchase: "subscription", paid: false }],
  ["confirm", { at: DAY(2), purchase: "subscription", renewal: true }],
  ["confirm", { at: DAY(3), purchase: "coins" }],
  ["reverse", { at: DAY(4), purchase: "coins" }],
];

function ordersOf<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first) =>
    ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

test("the first paid purchase confirms and only its refund reverses, in whatever order a trial and its renewal arrive", async () => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  const orders = ordersOf(EVENTS);
  const uids = orders.map((order) => order.map((event) => EVENTS.indexOf(event) + 1).join(""));
  await app.assign(...uids);
  for (const [index, order] of orders.entries()) {
    const uid = uids[index] ?? "";
    for (const [kind, { purchase, ...rest }] of order)
      await applyEvent(app.ctx, uid, kind, { ...rest, purchase: `${purchase} of ${uid}` });
  }
  for (let [before, after] = ["", "begun"]; before !== after; ) {
    await applyDueEvents(app.ctx);
    [before, after] = [after, JSON.stringify(await app.states())];
  }
  expect(await app.states()).toEqual(Object.fromEntries(uids.map((uid) => [uid, "redeemed"])));
  expect(await app.counts()).toMatchObject({ confirmed: 24 });
});

test.each([
  ["trial is older", { at: DAY(-20), paid: false }],
  ["unpaid renewal came first", { at: DAY(1), paid: false, renewal: true }],
])(
  "a subscription whose %s does not take the place of the first purchase by its renewal",
  async (_, before) => {
    const app = await confirmingApp(database(), { confirmOn: "paid" });
    await app.assign("a");
    const tell = (kind: Confirmation["kind"], options: EventOptions) =>
      applyEvent(app.ctx, "a", kind, options);
    expect(await tell("confirm", { at: DAY(3), purchase: "coins" })).toBe("confirmed");
    expect(await tell("confirm", { ...before, purchase: "old" })).toBe("already_confirmed");
    expect(await tell("confirm", { at: DAY(2), purchase: "old", renewal: true })).toBe("already_confirmed");
    expect(await tell("reverse", { at: DAY(4), purchase: "coins" })).toBe("reversed");
  },
);
