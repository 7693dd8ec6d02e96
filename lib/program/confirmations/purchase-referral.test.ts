import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { findEvent } from "@/lib/program/confirmations/event";
import { listEvents } from "@/lib/program/confirmations/list";
import { replayMany } from "@/lib/program/confirmations/replay";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { sweepApp } from "@/lib/program/retention/sweep-tenant";
import { applyEvent, type EventOptions, redeemAgain } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";

useService();

const DAY = (day: number) => Date.now() + day * DAY_MS;

const ANYONE = "$RCAnonymousID:1";

const paidOnly = () => confirmingApp(database(), { confirmOn: "paid" });

const TRIAL = { at: DAY(1), purchase: "t", paid: false };

/** An event of a buyer without a referral, which a member links; returns its id and the outcome. */
async function linkedEvent({ ctx }: ConfirmingApp, buyer: string, event: EventOptions, to: object) {
  expect(await applyEvent(ctx, buyer, "confirm", event)).toBe("unmatched");
  const eventId = (await listEvents(ctx)).data[0]?.id ?? "";
  const { status } = await linkConfirmation(ctx, { uid: "ben", ...to, eventId, reason: "The receipt" });
  return { eventId, status };
}

async function linkedTrial(app: ConfirmingApp, buyer: string, uid: string, referralId?: string) {
  const { eventId, status } = await linkedEvent(app, buyer, TRIAL, { uid, referralId });
  expect(status).toBe("not_paid");
  return eventId;
}

/** A payment of the trial's purchase, under another id, which a member links to another referral than the trial. */
async function paidToOther(app: ConfirmingApp, referralId: string) {
  const event = { at: DAY(8), purchase: "t" };
  expect((await linkedEvent(app, "$RCAnonymousID:2", event, { referralId })).status).toBe("confirmed");
}

const renewal = (day: number) => ({ at: DAY(day), purchase: "t", renewal: true });

/** A newer open referral of the person, in another campaign; returns both, and the status of both, by their order. */
async function further({ ctx }: ConfirmingApp, uid: string) {
  const first = await referralIdOf(ctx, uid);
  const { referralIds, statuses } = await redeemAgain(ctx);
  return { first, second: referralIds[0] ?? "", statuses };
}

test.each([
  ["", 38, "already_confirmed"],
  [ANYONE, 38, "unmatched"],
  ["", 138, "already_confirmed"],
  [ANYONE, 138, "unmatched"],
])(
  "the payment of a linked trial by %j confirms no second person where the purchase has confirmed one, on day %i",
  async (buyer, day, verdict) => {
    const app = await paidOnly();
    await app.assign("ben", "cem");
    await linkedTrial(app, buyer, "ben");
    expect(await applyEvent(app.ctx, "cem", "confirm", { at: DAY(8), purchase: "t" })).toBe("confirmed");
    await sweepApp(app.ctx.db, app.ctx.app.id, new Date(DAY(day)));
    expect(await applyEvent(app.ctx, buyer, "confirm", renewal(day))).toBe(verdict);
    expect(await app.states()).toEqual({ ben: "code_assigned", cem: "redeemed" });
    expect(await app.counts()).toMatchObject({ confirmed: 1 });
  },
);

test("nor does it take the place of the purchase that confirmed the person", async () => {
  const app = await paidOnly();
  await app.assign("ben", "cem");
  await linkedTrial(app, ANYONE, "ben");
  expect(await applyEvent(app.ctx, "ben", "confirm", { at: DAY(40), purchase: "coins" })).toBe("confirmed");
  expect(await applyEvent(app.ctx, "cem", "confirm", { at: DAY(8), purchase: "t" })).toBe("confirmed");
  expect(await applyEvent(app.ctx, ANYONE, "confirm", renewal(38))).toBe("unmatched");
  expect(await applyEvent(app.ctx, "ben", "reverse", { at: DAY(41), purchase: "coins" })).toBe("reversed");
});

test("the payment of a linked trial confirms the referral that the member chose, not the person's newest", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  const { first, statuses } = await further(app, "ben");
  await linkedTrial(app, ANYONE, "ben", first);
  expect(await applyEvent(app.ctx, ANYONE, "confirm", renewal(8))).toBe("confirmed");
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
});

test("a renewal of a linked trial follows its purchase to the newer referral that this has confirmed in another campaign", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  const { first, second, statuses } = await further(app, "ben");
  await linkedTrial(app, ANYONE, "ben", first);
  await paidToOther(app, second);
  expect(await applyEvent(app.ctx, ANYONE, "confirm", renewal(38))).toBe("already_confirmed");
  expect(await statuses()).toEqual(["code_assigned", "redeemed"]);
});

test("a refund reverses the referral that its purchase confirmed, not a newer one whose trial was held back", async () => {
  const app = await paidOnly();
  await app.assign("cem");
  await app.assign("ben");
  await linkedTrial(app, "", "ben");
  expect(await applyEvent(app.ctx, "cem", "confirm", { at: DAY(8), purchase: "t" })).toBe("confirmed");
  expect(await applyEvent(app.ctx, "", "reverse", { at: DAY(9), purchase: "t" })).toBe("reversed");
  expect(await app.states()).toEqual({ ben: "code_assigned", cem: "reversed" });
});

test("a linked trial and the payment that followed it are kept, and so lead the payment and the refund of later years", async () => {
  const app = await paidOnly();
  await app.assign("ben", "cem");
  await linkedTrial(app, ANYONE, "ben");
  expect(await applyEvent(app.ctx, "cem", "confirm", { at: DAY(1), purchase: "of cem" })).toBe("confirmed");
  await sweepApp(app.ctx.db, app.ctx.app.id, new Date(DAY(100)));
  expect(await applyEvent(app.ctx, ANYONE, "confirm", renewal(100))).toBe("confirmed");
  await sweepApp(app.ctx.db, app.ctx.app.id, new Date(DAY(200)));
  expect((await listEvents(app.ctx)).data.map(({ verdict }) => verdict)).toEqual(["confirmed", "not_paid"]);
  expect(await applyEvent(app.ctx, ANYONE, "reverse", { at: DAY(200), purchase: "t" })).toBe("reversed");
});

test.each([
  ["is confirmed by another purchase", ["of the newer code", "coins"], "already_confirmed"],
  ["is passed over by the payment", [], "not_paid"],
])(
  "a linked trial keeps its referral when it is replayed, also where that %s",
  async (_, purchases, verdict) => {
    const app = await paidOnly();
    await app.assign("ben");
    const { first, second, statuses } = await further(app, "ben");
    const trial = await linkedTrial(app, ANYONE, "ben", first);
    for (const purchase of purchases)
      expect(await applyEvent(app.ctx, "ben", "confirm", { at: DAY(8), purchase })).toBe("confirmed");
    if (purchases.length === 0) await paidToOther(app, second);
    expect(await statuses()).toEqual([purchases.length > 0 ? "redeemed" : "code_assigned", "redeemed"]);
    await replayMany(app.ctx, { verdict: "not_paid", since: "90d" });
    expect(await findEvent(app.ctx, trial)).toMatchObject({
      verdict,
      referralId: first,
      matchedBy: { uid: "ben", hand: true },
    });
  },
);

test("a trial that a member unlinks leaves its referral, so that its payment confirms the newer one", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  const { first, statuses } = await further(app, "ben");
  const eventId = await linkedTrial(app, ANYONE, "ben", first);
  await unlinkConfirmation(app.ctx, { eventId, reason: "The wrong receipt" });
  expect(await applyEvent(app.ctx, "ben", "confirm", { at: DAY(8), purchase: "t" })).toBe("confirmed");
  expect(await statuses()).toEqual(["code_assigned", "redeemed"]);
});

test("one of two that a member unlinks leaves the other's, whose payment confirms after the events of the other are deleted", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  expect(await applyEvent(app.ctx, "ben", "confirm", TRIAL)).toBe("not_paid");
  const eventId = await linkedTrial(app, ANYONE, "ben");
  await unlinkConfirmation(app.ctx, { eventId, reason: "The wrong receipt" });
  await sweepApp(app.ctx.db, app.ctx.app.id, new Date(DAY(100)));
  expect(await applyEvent(app.ctx, "ben", "confirm", renewal(100))).toBe("confirmed");
});
