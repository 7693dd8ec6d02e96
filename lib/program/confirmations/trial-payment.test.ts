import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { identityLinks } from "@/lib/platform/db/schema";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { applyEvent, type EventOptions, redeemAgain } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";

useService();

const DAY = (day: number) => Date.now() + day * DAY_MS;

const paidOnly = () => confirmingApp(database(), { confirmOn: "paid" });

const TRIAL = { at: DAY(1), purchase: "t", paid: false };

/** The end of the trial, as reported by a provider that knows of conversions. */
const conversion = (day: number) => ({ at: DAY(day), conversion: true }) as const;

const renewal = (day: number) => ({ at: DAY(day), purchase: "t", renewal: true });

type Outcome = [uid: string, EventOptions, outcome: string];

/** Events of ben's purchase "t", or of another one, each with its outcome. */
async function tell({ ctx }: ConfirmingApp, ...events: Outcome[]) {
  for (const [uid, event, outcome] of events)
    expect([event, await applyEvent(ctx, uid, "confirm", { purchase: "t", ...event })]).toEqual([
      event,
      outcome,
    ]);
}

/** A trial of an older referral, with a newer open one. */
async function trialAndNewer(trial: EventOptions = TRIAL, confirmOn: "paid" | "start" = "paid") {
  const app = await paidOnly();
  await app.assign("ben");
  await tell(app, ["ben", trial, "not_paid"]);
  return { app, ...(await redeemAgain(app.ctx, { confirmOn })) };
}

const coins = (day: number): EventOptions => ({ at: DAY(day), purchase: "coins" });

test.each([true, false])(
  "the payment of a trial that names its person confirms its referral, and another purchase the newer one (a renewal: %s)",
  async (isRenewal) => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { app, statuses } = await trialAndNewer();
      const events: Outcome[] = [
        ["ben", isRenewal ? renewal(8) : conversion(8), "confirmed"],
        ["ben", coins(9), "confirmed"],
      ];
      await tell(app, ...order.flatMap((index) => events.slice(index, index + 1)));
      expect(await statuses()).toEqual(["redeemed", "redeemed"]);
      expect(await applyEvent(app.ctx, "ben", "reverse", { at: DAY(10), purchase: "t" })).toBe("reversed");
      expect(await app.counts()).toMatchObject({ confirmed: 1 });
    }
  },
);

test.each<[string, Outcome[]]>([
  [
    "another provider reports the payment too",
    [
      ["ben", conversion(8), "confirmed"],
      ["ben", { at: DAY(8.1) }, "already_confirmed"],
    ],
  ],
  [
    "a later renewal comes first",
    [
      ["ben", renewal(38), "confirmed"],
      ["ben", { at: DAY(8) }, "already_confirmed"],
    ],
  ],
  [
    "renewals follow",
    [
      ["ben", renewal(8), "confirmed"],
      ["ben", renewal(38), "already_confirmed"],
    ],
  ],
  ["its referral stored another trial since", [["ben", renewal(8), "confirmed"]]],
])("a subscription confirms the referral of its trial and no newer one where %s", async (what, events) => {
  const app = await paidOnly();
  await app.assign("ben");
  await tell(app, ["ben", TRIAL, "not_paid"]);
  if (what.includes("stored another")) await tell(app, ["ben", { ...TRIAL, purchase: "free" }, "not_paid"]);
  const { statuses } = await redeemAgain(app.ctx);
  await tell(app, ...events);
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
});

test("the end of a trial at Stripe, which is not paid yet, starts no trial of the newer referral", async () => {
  const stripe = { purchase: "sub_1" };
  const { app, statuses } = await trialAndNewer({ ...TRIAL, ...stripe });
  const ends: Outcome = ["ben", { ...TRIAL, ...stripe, at: DAY(8) }, "not_paid"];
  await tell(app, ends, ["ben", { ...renewal(8.1), ...stripe }, "confirmed"]);
  await tell(app, ["ben", { ...renewal(38), ...stripe }, "already_confirmed"]);
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
});

test("nor does it where the trial has confirmed the first referral", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  const start = { purchase: "sub_1", paid: false };
  await tell(app, ["ben", { ...start, at: Date.now() }, "confirmed"]);
  const { statuses } = await redeemAgain(app.ctx);
  await tell(app, ["ben", { ...start, at: DAY(8) }, "already_confirmed"]);
  await tell(app, ["ben", { ...renewal(8.1), purchase: "sub_1" }, "renewal"]);
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
});

test("nor does a conversion at a store, before or after the newer code's own trial, which confirms with its conversion", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  await tell(app, ["ben", { ...TRIAL, at: Date.now() }, "confirmed"]);
  const { statuses } = await redeemAgain(app.ctx);
  await tell(app, ["ben", conversion(8), "already_confirmed"]);
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
  await tell(app, ["ben", conversion(408), "already_confirmed"]);
  await tell(app, ["ben", { ...TRIAL, at: DAY(400) }, "not_paid"]);
  expect(await statuses()).toEqual(["redeemed", "redeemed"]);
});

test.each(["paid", "start"] as const)(
  "a subscriber who returns with a trial since the newer code belongs to the newer referral, which confirms on %s",
  async (confirmOn) => {
    const { app, statuses } = await trialAndNewer(TRIAL, confirmOn);
    await tell(app, ["ben", { ...TRIAL, at: DAY(400) }, confirmOn === "paid" ? "not_paid" : "confirmed"]);
    await tell(app, ["ben", renewal(408), confirmOn === "paid" ? "confirmed" : "already_confirmed"]);
    expect(await statuses()).toEqual(["code_assigned", "redeemed"]);
  },
);

test.each(["paid", "start"] as const)(
  "so does one whose trial ended unpaid and who returns with the newer code at a price, where that confirms on %s",
  async (confirmOn) => {
    const { app, statuses } = await trialAndNewer(TRIAL, confirmOn);
    await tell(app, ["ben", { at: DAY(400) }, "confirmed"], ["ben", renewal(430), "already_confirmed"]);
    expect(await statuses()).toEqual(["code_assigned", "redeemed"]);
  },
);

test("a trial that is replayed or reported again with its own time stays with the older referral", async () => {
  const trial = { ...TRIAL, at: Date.now() };
  const { app, statuses } = await trialAndNewer(trial);
  await replayConfirmation(app.ctx, (await listEvents(app.ctx)).data[0]?.id ?? "");
  await tell(app, ["ben", trial, "not_paid"], ["ben", conversion(8), "confirmed"]);
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
});

test("the payment of a trial under a linked id confirms its referral, not the newer one of the other id", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  await tell(app, ["ben", TRIAL, "not_paid"]);
  const { statuses } = await redeemAgain(app.ctx, { as: "ben 2" });
  await app.ctx.db.orm.insert(identityLinks).values({
    appId: app.ctx.app.id,
    fromUid: "ben",
    toUid: "ben 2",
    type: "TRANSFER",
    eventId: uuidv7(),
  });
  await tell(app, ["ben 2", conversion(8), "confirmed"], ["ben 2", { at: DAY(9) }, "already_confirmed"]);
  expect(await statuses()).toEqual(["redeemed", "code_assigned"]);
});

test("the payment of a trial confirms no second person of the campaign where a newer referral is open", async () => {
  const { app, statuses } = await trialAndNewer();
  await app.assign("cem");
  await tell(app, ["cem", { at: DAY(7) }, "confirmed"], ["ben", renewal(8), "renewal"]);
  expect(await statuses()).toEqual(["code_assigned", "code_assigned"]);
});

test("the trial of a released redemption waits in the inbox, and its payment confirms the referral for which it is replayed", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  await tell(app, ["ben", TRIAL, "not_paid"]);
  const referralId = await referralIdOf(app.ctx, "ben");
  await releaseRedemption(app.ctx, { referralId, reason: "The wrong friend" });
  const [trial] = (await listUnmatched(app.ctx, { lost: true })).data;
  await app.assign("ben");
  expect(await replayConfirmation(app.ctx, trial?.id ?? "")).toMatchObject({ status: "not_paid" });
  await tell(app, ["ben", renewal(31), "confirmed"]);
  expect(await app.states()).toEqual({ ben: "redeemed" });
});

test("the trial of an erased user, which has lost its purchase, does not wait in the inbox after a release", async () => {
  const app = await paidOnly();
  await app.assign("ben");
  await tell(app, ["ben", TRIAL, "not_paid"]);
  const referralId = await referralIdOf(app.ctx, "ben");
  await eraseEndUser(app.ctx, "ben");
  await releaseRedemption(app.ctx, { referralId, reason: "The wrong friend" });
  expect((await listUnmatched(app.ctx)).data).toEqual([]);
});
