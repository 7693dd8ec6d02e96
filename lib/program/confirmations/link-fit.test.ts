import { eq, type SQL, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { campaigns, providerEvents, referrals } from "@/lib/platform/db/schema";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { listUnmatched, listUnmatchedSince } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import type { ProviderEvent } from "@/lib/program/providers/common/adapter";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { later } from "@/lib/testing/clock";
import { applyEvent } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

const CONNECTION = "00000000-0000-7000-8000-000000000001";

useService();

/** Ben has a code of the App Store; a purchase of an unknown buyer, in this store, is in the inbox. */
async function unmatched(store: string) {
  const app = await confirmingApp(database());
  await app.assign("ben");
  await receiveConfirmation(app.ctx, CONNECTION, {
    eventId: "purchase",
    type: "TEST",
    uids: ["$RCAnonymousID:1"],
    payload: { store },
    occurredAt: null,
    purchaseId: null,
    links: [],
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
  });
  const [event] = (await listUnmatched(app.ctx)).data;
  const link = (referralId?: string) =>
    linkConfirmation(app.ctx, { eventId: event?.id ?? "", uid: "ben", referralId, reason: "The receipt" });
  return { app, link };
}

type Changes = { createdAt?: SQL; platform?: "android" };

/** A further open referral of Ben, in another campaign; returns the ids of the first and of this one. */
async function further({ ctx }: ConfirmingApp, changes: Changes = {}) {
  const { orm } = ctx.db;
  const [first] = await orm.select().from(referrals).where(eq(referrals.appId, ctx.app.id));
  if (!first) throw new Error("Ben has no referral");
  const second = { ...first, id: uuidv7(), campaignId: uuidv7(), createdAt: sql`now()`, ...changes };
  await orm.insert(campaigns).values({
    appId: ctx.app.id,
    id: second.campaignId,
    name: "Next",
    activatedAt: new Date(),
    type: "influencer",
    status: "active",
  });
  await orm.insert(referrals).values(second);
  const statusOf = async (id: string) =>
    (await orm.select().from(referrals).where(eq(referrals.id, id))).map(({ status }) => status);
  return { ids: [first.id, second.id] as const, statusOf };
}

test("a link to a redemption that a colleague has released since says that it may be gone", async () => {
  const { app, link } = await unmatched("APP_STORE");
  const referralId = await referralIdOf(app.ctx, "ben");
  await releaseRedemption(asTeamMember(app.ctx), { referralId, reason: "Wrong friend" });
  await expect(link(referralId)).rejects.toThrow("or the redemption was released");
});

test.each([
  ["is newer", {}],
  ["began after the purchase", { createdAt: sql`now() + interval '1 minute'` }],
  ["is of the other store", { platform: "android" }],
] as const)(
  "the chosen referral is confirmed, also where another one of the person %s",
  async (_, changes) => {
    const { app, link } = await unmatched("APP_STORE");
    const { ids, statusOf } = await further(app, changes);
    expect(await link(ids[0])).toEqual({ status: "confirmed", referralId: ids[0] });
    expect([await statusOf(ids[0]), await statusOf(ids[1])]).toEqual([["redeemed"], ["code_assigned"]]);
  },
);

test("a referral that is confirmed already is not changed by a link to it, nor is another one instead", async () => {
  const { app, link } = await unmatched("APP_STORE");
  const { ids, statusOf } = await further(app);
  await app.ctx.db.orm
    .update(referrals)
    .set({ status: "redeemed", confirmedAt: sql`now()`, purchasedAt: sql`now()` })
    .where(eq(referrals.id, ids[0]));
  await link(ids[0]).catch(() => undefined);
  expect([await statusOf(ids[0]), await statusOf(ids[1])]).toEqual([["redeemed"], ["code_assigned"]]);
});

test.each(["APP_STORE", "STRIPE", "unknown"])(
  "a purchase in %s is linked with a referral on iOS",
  async (store) => {
    const { app, link } = await unmatched(store);
    expect((await link()).status).toBe("confirmed");
    expect(await app.states()).toEqual({ ben: "redeemed" });
  },
);

test("a purchase in the other store is not, however the form was sent, and nothing changes", async () => {
  const { app, link } = await unmatched("PLAY_STORE");
  await expect(link()).rejects.toMatchObject({ code: "CONFLICT" });
  expect([await app.states(), await app.counts(), await app.emitted()]).toEqual([
    { ben: "code_assigned" },
    { confirmed: 0, earned: 0, rewards: 0 },
    {},
  ]);
  expect((await listUnmatched(app.ctx)).data).toHaveLength(1);
});

test("a purchase that had arrived before the redemption is not linked", async () => {
  const { app, link } = await unmatched("APP_STORE");
  await database()
    .orm.update(referrals)
    .set({ createdAt: sql`now() + interval '1 minute'` })
    .where(eq(referrals.appId, app.ctx.app.id));
  await expect(link()).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await app.states()).toEqual({ ben: "code_assigned" });
});

let number = 0;

/** A purchase of a buyer whom the provider does not name, in the App Store, unless the changes say otherwise. */
async function buy(app: ConfirmingApp, changes: Partial<ProviderEvent> = {}): Promise<string> {
  number += 1;
  await receiveConfirmation(app.ctx, CONNECTION, {
    eventId: `many ${number}`,
    type: "TEST",
    uids: [`$RCAnonymousID:${number}`],
    payload: { store: "APP_STORE" },
    occurredAt: null,
    purchaseId: null,
    links: [],
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
    ...changes,
  });
  const [event] = (await listUnmatched(app.ctx)).data;
  return event?.id ?? "";
}

const inStore = (store: string) => ({ payload: { event: { store } } });

test("a redemption is offered the purchases that fit, however many others bought since", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  const since = new Date();
  const offered = async (platform: "ios" | "android") =>
    (await listUnmatchedSince(app.ctx, since, platform)).map(({ id }) => id);
  for (let n = 0; n < 22; n += 1) await buy(app, { uids: [`stranger ${n}`] });
  const [own, unnamed] = [await buy(app), await buy(app, { uids: [], ...inStore("unknown") })];
  const shop = await buy(app, inStore("STRIPE"));
  const apple = await buy(app, { payload: { data: { bundleId: "com.example" } } });
  const refund = { kind: "reverse", paid: true, renewal: false, sandbox: false } as const;
  const refunded = await buy(app, { confirmation: refund });
  const play: string[] = [];
  for (let n = 0; n < 25; n += 1) play.push(await buy(app, inStore("PLAY_STORE")));
  const ios = await offered("ios");
  expect(ios.slice(0, 4)).toEqual([own, unnamed, shop, apple]);
  expect([ios.length, new Set(ios).size]).toEqual([20, 20]);
  expect([refunded, ...play].filter((id) => ios.includes(id))).toEqual([]);
  expect(await offered("android")).toEqual([unnamed, shop, ...play.slice(0, 18)]);
});

test("a purchase that happened before the redemption and arrived after it is neither offered nor linked", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  const since = new Date(Date.now() - 60_000);
  await database().orm.update(referrals).set({ createdAt: since }).where(eq(referrals.appId, app.ctx.app.id));
  const event = await buy(app, { occurredAt: since.getTime() - 1_000 });
  expect(await listUnmatchedSince(app.ctx, since, "ios")).toEqual([]);
  await expect(
    linkConfirmation(app.ctx, { eventId: event, uid: "ben", reason: "The receipt" }),
  ).rejects.toMatchObject({ code: "CONFLICT" });
  await database()
    .orm.update(providerEvents)
    .set({ occurredAt: later(providerEvents.occurredAt, 2) })
    .where(eq(providerEvents.appId, app.ctx.app.id));
  expect(await listUnmatchedSince(app.ctx, since, "ios")).toHaveLength(1);
  expect(
    (await linkConfirmation(app.ctx, { eventId: event, uid: "ben", reason: "The receipt" })).status,
  ).toBe("confirmed");
});

test.each([
  ["confirm", [], "confirmed"],
  ["confirm", ["reverse"], "reversed"],
  ["confirm", ["reverse", "restore"], "confirmed"],
  ["reverse", ["restore"], "restored"],
] as const)(
  "a link of a %s with %j waiting returns the outcome for the referral",
  async (kind, rest, status) => {
    const app = await confirmingApp(database());
    await app.assign("ben");
    const purchase = { at: Date.now() + DAY_MS, purchase: "p" };
    if (kind === "reverse") await applyEvent(app.ctx, "ben", "confirm", purchase);
    expect(await applyEvent(app.ctx, "$RCAnonymousID:1", kind, purchase)).toBe("unmatched");
    const [event] = (await listUnmatched(app.ctx)).data;
    const buyer = kind === "reverse" ? "ben" : "$RCAnonymousID:1";
    for (const [index, other] of rest.entries())
      expect(await applyEvent(app.ctx, buyer, other, { ...purchase, at: purchase.at + index + 1 })).toBe(
        "unmatched",
      );
    const link = { eventId: event?.id ?? "", uid: "ben", reason: "The receipt" };
    expect((await linkConfirmation(app.ctx, link)).status).toBe(status);
    expect(await app.states()).toEqual({ ben: status === "reversed" ? "reversed" : "redeemed" });
  },
);

test("a refund under another id of the purchase that confirmed a referral is a sign, says so, and is linked", async () => {
  const app = await confirmingApp(database());
  const { ctx } = app;
  await app.assign("ben", "new phone");
  expect(await applyEvent(ctx, "ben", "confirm", { purchase: "p" })).toBe("confirmed");
  const refunds = ["stranger", "new phone"];
  for (const uid of refunds)
    expect(await applyEvent(ctx, uid, "reverse", { purchase: "p" })).toBe("unmatched");
  expect(await applyEvent(ctx, "stranger", "reverse", { purchase: "of a stranger" })).toBe("unmatched");
  const lost = (await listUnmatched(ctx, { lost: true })).data.filter(({ purchaseId }) => purchaseId === "p");
  expect(lost).toHaveLength(2);
  const why = await diagnoseEvents(ctx, lost);
  for (const { id } of lost) expect(why[id]).toEqual({ why: "other_user" });
  expect((await listUnmatched(ctx, { lost: false })).data).toHaveLength(1);
  const ofBen = { eventId: lost[0]?.id ?? "", uid: "ben", reason: "The receipt" };
  expect(await linkConfirmation(ctx, ofBen)).toMatchObject({ status: "reversed" });
  expect((await listUnmatched(ctx, { lost: false })).data).toHaveLength(2);
});
