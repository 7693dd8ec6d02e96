import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { referrals } from "@/lib/platform/db/schema";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { replayConfirmation, replayMany } from "@/lib/program/confirmations/replay";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { confirmByHand } from "@/lib/program/referrals/by-hand";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { sweepApp } from "@/lib/program/retention/sweep-tenant";
import { later } from "@/lib/testing/clock";
import { applyEvent, type EventOptions } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";

/** Times after the redemptions, so that a member may link the events. */
const START = Date.now();
const DAY = (day: number) => START + day * DAY_MS;

useService();

const tell = (app: ConfirmingApp, uid: string, kind: Confirmation["kind"], details?: EventOptions) =>
  applyEvent(app.ctx, uid, kind, details);

describe("a refund of another purchase than the one that confirmed", () => {
  test("changes nothing, whether the other purchase is known or not, until a member links it", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" })).toBe("confirmed");
    expect(await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" })).toBe("already_confirmed");
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" })).toBe("unmatched");
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "never seen" })).toBe("unmatched");
    await applyDueEvents(app.ctx);
    expect(await app.states()).toEqual({ a: "redeemed" });
    expect(await app.emitted()).toEqual({ "referral.redeemed": 1 });
    const [event] = (await listEvents(app.ctx)).data;
    expect(
      (await linkConfirmation(app.ctx, { eventId: event?.id ?? "", uid: "a", reason: "The receipt" })).status,
    ).toBe("reversed");
    expect(await tell(app, "a", "restore", { at: DAY(4), purchase: "coins" })).toBe("unmatched");
    expect(await tell(app, "a", "restore", { at: DAY(4), purchase: "never seen" })).toBe("restored");
    expect(await app.states()).toEqual({ a: "redeemed" });
  });

  test("changes nothing when a member replays it, alone or with others", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" });
    await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" });
    const [event] = (await listEvents(app.ctx)).data;
    expect((await replayConfirmation(app.ctx, event?.id ?? "")).status).toBe("unmatched");
    await replayMany(app.ctx, { verdict: "unmatched", since: "90d" });
    expect(await app.states()).toEqual({ a: "redeemed" });
  });

  test("reverses if either side names no purchase, because they cannot be compared", async () => {
    const app = await confirmingApp(database());
    await app.assign("a", "b", "c", "d");
    await tell(app, "a", "confirm", { at: DAY(1) });
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "p" })).toBe("reversed");
    await tell(app, "b", "confirm", { at: DAY(1), purchase: "p" });
    expect(await tell(app, "b", "reverse", { at: DAY(2) })).toBe("reversed");
    // Stripe's refunds name the payment, not the subscription.
    for (const [uid, payment] of [
      ["c", "pi_1"],
      ["d", "ch_1"],
    ] as const) {
      await tell(app, uid, "confirm", { at: DAY(1), purchase: "sub_1" });
      expect(await tell(app, uid, "reverse", { at: DAY(2), purchase: "sub_2" })).toBe("unmatched");
      expect(await tell(app, uid, "reverse", { at: DAY(2), purchase: payment })).toBe("reversed");
    }
    expect(await app.states()).toEqual({ a: "reversed", b: "reversed", c: "reversed", d: "reversed" });
  });

  test("changes nothing where Stripe named a payment in a purchase of its own, beside the subscription", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "sub_1" });
    expect(await tell(app, "a", "confirm", { at: DAY(2), purchase: "pi_2" })).toBe("already_confirmed");
    expect(await tell(app, "a", "ignore", { at: DAY(2), purchase: "pi_1" })).toBe("ignored");
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "pi_2" })).toBe("unmatched");
    expect(await tell(app, "a", "reverse", { at: DAY(4), purchase: "pi_1" })).toBe("reversed");
  });

  test("changes nothing where a server of the owner's names its purchases by product", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "gold_1" });
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "coins_2" })).toBe("unmatched");
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "gold_1" })).toBe("reversed");
  });

  test("changes nothing after the event of the confirming purchase has been deleted", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" });
    await sweepApp(database(), app.ctx.app.id, new Date(Date.now() + 91 * DAY_MS));
    expect((await listEvents(app.ctx)).data).toEqual([]);
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "coins" })).toBe("unmatched");
    // A renewal belongs to the referral that its purchase has confirmed.
    expect(await tell(app, "a", "confirm", { at: DAY(2), purchase: "subscription" })).toBe(
      "already_confirmed",
    );
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "subscription" })).toBe("reversed");
  });

  test("changes nothing where an earlier version stored only the event", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" });
    await database()
      .orm.update(referrals)
      .set({ confirmedPurchase: null })
      .where(eq(referrals.appId, app.ctx.app.id));
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "coins" })).toBe("unmatched");
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "subscription" })).toBe("reversed");
  });
});

test("a refund after a reversal by hand becomes its reason, and nothing is counted twice", async () => {
  const app = await confirmingApp(database());
  await app.assign("a", "b");
  for (const uid of ["a", "b"]) await tell(app, uid, "confirm");
  await reverseReferral(app.ctx, { referralId: await referralIdOf(app.ctx, "a"), reason: "Asked for" });
  expect(await tell(app, "a", "reverse")).toBe("reversed");
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
  expect(await app.emitted()).toEqual({ "referral.redeemed": 2, "referral.reversed": 1 });
  expect(await tell(app, "a", "restore")).toBe("restored");
  expect(await app.counts()).toMatchObject({ confirmed: 2 });
});

test("a referral confirmed by hand belongs to the first purchase since its code, and a refund of another one no longer reverses it", async () => {
  const app = await confirmingApp(database());
  await app.assign("a", "b");
  for (const uid of ["a", "b"])
    await confirmByHand(app.ctx, { referralId: await referralIdOf(app.ctx, uid), reason: "The receipt" });
  expect(await tell(app, "a", "confirm", { at: DAY(-1), purchase: "older" })).toBe("already_confirmed");
  expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "mine" })).toBe("already_confirmed");
  expect(await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" })).toBe("already_confirmed");
  for (const purchase of ["coins", "older", "never seen"])
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase })).toBe("unmatched");
  expect(await app.counts()).toMatchObject({ confirmed: 2 });
  expect(await tell(app, "a", "reverse", { at: DAY(4), purchase: "mine" })).toBe("reversed");
  // No purchase of this one is known, so a refund cannot be told apart.
  expect(await tell(app, "b", "reverse", { at: DAY(4), purchase: "any" })).toBe("reversed");
  expect(await app.emitted()).toEqual({ "referral.redeemed": 2, "referral.reversed": 2 });
});

test("of several purchases after a confirmation by hand the first one counts, in whatever order they arrive", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await confirmByHand(app.ctx, { referralId: await referralIdOf(app.ctx, "a"), reason: "The receipt" });
  expect(await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" })).toBe("already_confirmed");
  expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "mine" })).toBe("confirmed");
  expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" })).toBe("unmatched");
  expect(await tell(app, "a", "reverse", { at: DAY(4), purchase: "mine" })).toBe("reversed");
  expect(await app.emitted()).toEqual({ "referral.redeemed": 1, "referral.reversed": 1 });
});

test("a refund of another purchase, or a withdrawal alone, leaves a reversal by hand as it is", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" });
  await reverseReferral(app.ctx, { referralId: await referralIdOf(app.ctx, "a"), reason: "Stolen card" });
  expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "coins" })).toBe("unmatched");
  for (const purchase of ["coins", "subscription"])
    expect(await tell(app, "a", "restore", { at: DAY(3), purchase })).toBe("unmatched");
  // This is the refund of an unknown purchase.
  expect((await listUnmatched(app.ctx, { lost: true })).data).toHaveLength(1);
  expect(await app.states()).toEqual({ a: "reversed" });
  // A member can still undo the reversal.
  await restoreReferral(app.ctx, { referralId: await referralIdOf(app.ctx, "a"), reason: "A mistake" });
  expect(await app.states()).toEqual({ a: "redeemed" });
});

test("an earlier refund counts after a later one that a member linked by mistake is unlinked", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  await tell(app, "", "reverse", { at: DAY(5), purchase: "of another person" });
  const eventId = (await listEvents(app.ctx)).data[0]?.id ?? "";
  await linkConfirmation(app.ctx, { eventId, uid: "a", reason: "The receipt" });
  await unlinkConfirmation(app.ctx, { eventId, reason: "The wrong receipt" });
  expect(await app.states()).toEqual({ a: "redeemed" });
  expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "p" })).toBe("reversed");
});

test("a refund after the events' retention finds the purchase that a member linked, though it names another id", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await app.assign("b");
  expect(await tell(app, "b", "confirm", { at: DAY(1), purchase: "of b" })).toBe("confirmed");
  expect(await tell(app, "$anonymous", "confirm", { at: DAY(1), purchase: "a year" })).toBe("unmatched");
  const [event] = (await listEvents(app.ctx)).data;
  const linked = { eventId: event?.id ?? "", uid: "a", reason: "The receipt" };
  expect((await linkConfirmation(app.ctx, linked)).status).toBe("confirmed");
  await sweepApp(app.ctx.db, app.ctx.app.id, new Date(DAY(100)));
  expect((await listEvents(app.ctx)).data.map(({ id }) => id)).toEqual([linked.eventId]);
  expect(await tell(app, "$anonymous", "reverse", { at: DAY(100), purchase: "a year" })).toBe("reversed");
});

test("a withdrawal that a member linked by mistake is unlinked, and then its refund", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  const link = async (kind: Confirmation["kind"], day: number) => {
    await tell(app, "", kind, { at: DAY(day), purchase: "of another person" });
    const eventId = (await listEvents(app.ctx)).data[0]?.id ?? "";
    await linkConfirmation(app.ctx, { eventId, uid: "a", reason: "The receipt" });
    return eventId;
  };
  const unlink = (eventId: string) =>
    unlinkConfirmation(app.ctx, { eventId, reason: "The wrong receipt" }).then(() => app.states());
  const [refund, withdrawal] = [await link("reverse", 5), await link("restore", 6)];
  expect(await app.states()).toEqual({ a: "redeemed" });
  await expect(unlink(refund)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await unlink(withdrawal)).toEqual({ a: "reversed" });
  expect(await app.counts()).toMatchObject({ confirmed: 0 });
  expect(await unlink(refund)).toEqual({ a: "redeemed" });
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
  expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "p" })).toBe("reversed");
});

test("the refund of a purchase that was dated a day ahead counts, even once that time has passed", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  const { purchasedAt, confirmedAt, appId } = referrals;
  const earlier = (time: typeof purchasedAt | typeof confirmedAt) => later(time, -30 * 3_600);
  await app.ctx.db.orm
    .update(referrals)
    .set({ purchasedAt: earlier(purchasedAt), confirmedAt: earlier(confirmedAt) })
    .where(eq(appId, app.ctx.app.id));
  expect(await tell(app, "a", "reverse", { at: DAY(-1), purchase: "p" })).toBe("reversed");
});

test("a refund of long before does not reverse a purchase that is dated ahead", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  expect(await tell(app, "a", "reverse", { at: DAY(-60), purchase: "p" })).toBe("unmatched");
});
