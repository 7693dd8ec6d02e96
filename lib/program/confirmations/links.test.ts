import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { campaigns, identityLinks, providerEvents, referrals, waitingUids } from "@/lib/platform/db/schema";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import { findEvent } from "@/lib/program/confirmations/event";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import type { Confirmation, IdentityLink, ProviderEvent } from "@/lib/program/providers/common/adapter";
import { confirmByHand } from "@/lib/program/referrals/by-hand";
import { later } from "@/lib/testing/clock";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

const CONNECTION = "00000000-0000-7000-8000-000000000001";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

let number = 0;

type Kind = Confirmation["kind"];

function about(uids: string[], kind: Kind, changes: Partial<ProviderEvent> = {}): ProviderEvent {
  number += 1;
  return {
    ...{ eventId: `event ${number}`, type: "TEST", uids, payload: { uids } },
    ...{ occurredAt: null, purchaseId: null, links: [] },
    confirmation: { kind, paid: true, renewal: false, sandbox: false },
    ...changes,
  };
}

const send = (app: ConfirmingApp, event: ProviderEvent) => receiveConfirmation(app.ctx, CONNECTION, event);
const buys = async (app: ConfirmingApp, ...uids: string[]) =>
  (await send(app, about(uids, "confirm"))).status;
const links = (app: ConfirmingApp, type: string, ...list: IdentityLink[]) =>
  send(app, about([], "ignore", { type, links: list, payload: list }));

/** Moves the referral of an id to another campaign of the app. */
async function moveToOtherCampaign({ ctx }: ConfirmingApp, refereeUid: string): Promise<void> {
  const { orm } = ctx.db;
  const next = { appId: ctx.app.id, id: uuidv7(), name: "Next", activatedAt: new Date() };
  await orm.insert(campaigns).values({ ...next, type: "influencer", status: "active" });
  const own = and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, refereeUid));
  await orm.update(referrals).set({ campaignId: next.id }).where(own);
}

async function newest(app: ConfirmingApp) {
  const [row] = (await listEvents(app.ctx)).data;
  return findEvent(app.ctx, row?.id);
}

test("a purchase by a new id finds the referral of the old id, and names the link", async () => {
  const app = await confirmingApp(database());
  await app.assign("old");
  expect((await links(app, "TRANSFER", { from: "old", to: "new" })).status).toBe("ignored");
  expect(await buys(app, "new")).toBe("confirmed");
  expect(await newest(app)).toMatchObject({
    matchedBy: { uid: "old", links: [{ from: "old", to: "new", type: "TRANSFER" }] },
  });
});

test("links lead on, in both directions and in circles, up to four of them", async () => {
  const app = await confirmingApp(database());
  await app.assign("a", "far 0");
  await links(
    app,
    "SUBSCRIBER_ALIAS",
    { from: "a", to: "b" },
    { from: "c", to: "b" },
    { from: "c", to: "a" },
  );
  const chain = [0, 1, 2, 3, 4].map((n) => ({ from: `far ${n}`, to: `far ${n + 1}` }));
  await links(app, "SUBSCRIBER_ALIAS", ...chain);
  expect(await buys(app, "c")).toBe("confirmed");
  expect(await buys(app, "far 5")).toBe("unmatched");
  expect(await buys(app, "far 4")).toBe("confirmed");
});

test("the event's own ids come first, even if they already count", async () => {
  const app = await confirmingApp(database());
  await app.assign("old", "new");
  await links(app, "TRANSFER", { from: "old", to: "new" });
  expect(await buys(app, "new")).toBe("confirmed");
  expect(await app.states()).toEqual({ old: "code_assigned", new: "redeemed" });
  expect(await buys(app, "new")).toBe("already_confirmed");
  expect(await app.states()).toEqual({ old: "code_assigned", new: "redeemed" });
});

test.each([
  ["is open", null],
  ["was confirmed by another purchase", { purchaseId: "q" }],
  ["was confirmed without a purchase id", {}],
])(
  "a purchase stays with the referral that it confirmed under a linked id: that of the new id %s",
  async (_, own) => {
    const app = await confirmingApp(database());
    await app.assign("old", "new");
    await send(app, about(["old"], "confirm", { purchaseId: "p" }));
    await links(app, "TRANSFER", { from: "old", to: "new" });
    if (own) expect((await send(app, about(["new"], "confirm", own))).status).toBe("confirmed");
    const before = await app.states();
    const again = await send(app, about(["new"], "confirm", { purchaseId: "p" }));
    expect(again.status).toBe("already_confirmed");
    expect(await app.states()).toEqual(before);
    expect((await send(app, about(["new"], "reverse", { purchaseId: "p" }))).status).toBe("reversed");
    expect(await app.states()).toEqual({ ...before, old: "reversed" });
    expect(await newest(app)).toMatchObject({
      matchedBy: { uid: "old", links: [{ from: "old", to: "new", type: "TRANSFER" }] },
    });
  },
);

test("a purchase confirms one referral of a campaign, though the person redeemed again under an alias", async () => {
  const app = await confirmingApp(database(), { confirmAnyRenewal: true });
  await app.assign("a");
  await send(app, about(["a"], "confirm", { purchaseId: "p" }));
  await app.assign("b");
  const renewal = { kind: "confirm", paid: true, renewal: true, sandbox: false } as const;
  const renewed = about(["b", "a"], "confirm", { purchaseId: "p", confirmation: renewal });
  expect((await send(app, renewed)).status).toBe("already_confirmed");
  expect(await app.states()).toEqual({ a: "redeemed", b: "code_assigned" });
});

test("a late link applies the events that waited for it, a purchase and its refund, once", async () => {
  const app = await confirmingApp(database(), { threshold: 1 });
  await app.assign("old");
  const [bought, refunded] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 2)];
  const refund = about(["new"], "reverse", { occurredAt: refunded, purchaseId: "p" });
  expect((await send(app, refund)).status).toBe("unmatched");
  const purchase = about(["new"], "confirm", { occurredAt: bought, purchaseId: "p" });
  expect((await send(app, purchase)).status).toBe("unmatched");
  await links(app, "SUBSCRIBER_ALIAS", { from: "old", to: "new" });
  expect(await app.states()).toEqual({ old: "reversed" });
  expect(await app.emitted()).toEqual({ "referral.redeemed": 1, "referral.reversed": 1, "reward.earned": 1 });
  expect(await database().orm.$count(waitingUids, eq(waitingUids.appId, app.ctx.app.id))).toBe(0);
  expect((await listUnmatched(app.ctx)).data).toEqual([]);
});

test("a link that comes late does not credit a purchase that is much older than the redemption", async () => {
  const app = await confirmingApp(database());
  expect(await buys(app, "new")).toBe("unmatched");
  await database()
    .orm.update(providerEvents)
    .set({ createdAt: later(providerEvents.createdAt, -2 * 3_600) })
    .where(eq(providerEvents.appId, app.ctx.app.id));
  await app.assign("old");
  await links(app, "SUBSCRIBER_ALIAS", { from: "old", to: "new" });
  expect(await app.states()).toEqual({ old: "code_assigned" });
  const [, waiting] = (await listEvents(app.ctx)).data;
  expect(await replayConfirmation(app.ctx, waiting?.id ?? "")).toMatchObject({ status: "confirmed" });
});

test("a link of one app has no effect in another", async () => {
  const [app, other] = [await confirmingApp(database()), await confirmingApp(database())];
  for (const each of [app, other]) await each.assign("old");
  await links(app, "TRANSFER", { from: "old", to: "new" });
  expect(await buys(other, "new")).toBe("unmatched");
});

test("a link that its rival could not see is seen by the next round", async () => {
  const app = await confirmingApp(database());
  await app.assign("old");
  expect(await buys(app, "new")).toBe("unmatched");
  const row = { appId: app.ctx.app.id, fromUid: "old", toUid: "new", type: "TRANSFER", eventId: CONNECTION };
  await database().orm.insert(identityLinks).values(row);
  await applyDueEvents(app.ctx);
  expect(await app.states()).toEqual({ old: "redeemed" });
});

test("a sandbox event links ids in a sandbox app only, so that a tester does not join users", async () => {
  const confirmation = { kind: "ignore", paid: false, renewal: false, sandbox: true } as const;
  for (const sandbox of [false, true]) {
    const app = await confirmingApp(database(), { sandbox });
    await app.assign("old");
    const transfer = about([], "ignore", { links: [{ from: "old", to: "new" }], confirmation });
    expect((await send(app, transfer)).status).toBe("ignored");
    expect(await buys(app, "new")).toBe(sandbox ? "confirmed" : "unmatched");
  }
});

test("an erased person is in no link, no waiting event and no payload", async () => {
  const app = await confirmingApp(database());
  await app.assign("other");
  await links(app, "TRANSFER", { from: "gone@example.com", to: "new" });
  await buys(app, "gone@example.com");
  await eraseEndUser(app.ctx, "gone@example.com");
  const rows = Object.entries(await rowsOfApp(app.ctx.app.id));
  expect(rows.filter(([, found]) => found.some((row) => row.includes("gone@example.com")))).toEqual([]);
});

test("a purchase by an id that counts in one campaign confirms the open referral of a linked id in another", async () => {
  const app = await confirmingApp(database());
  await app.assign("new");
  expect((await send(app, about(["new"], "confirm", { purchaseId: "p" }))).status).toBe("confirmed");
  await app.assign("old");
  await moveToOtherCampaign(app, "old");
  await links(app, "TRANSFER", { from: "old", to: "new" });
  // The first purchase belongs to the first referral.
  const earlier = { purchaseId: "p", occurredAt: Date.now() - 3_600_000 };
  expect((await send(app, about(["new"], "confirm", earlier))).status).toBe("already_confirmed");
  expect((await send(app, about(["new"], "confirm", { purchaseId: "q" }))).status).toBe("confirmed");
  expect(await app.states()).toEqual({ new: "redeemed", old: "redeemed" });
  expect(await newest(app)).toMatchObject({ matchedBy: { uid: "old" } });
  expect((await send(app, about(["new"], "reverse", { purchaseId: "q" }))).status).toBe("reversed");
  expect(await app.states()).toEqual({ new: "redeemed", old: "reversed" });
});

test("a purchase by an id that counts confirms no referral of a linked id in the same campaign", async () => {
  const app = await confirmingApp(database());
  await app.assign("new", "old", "late");
  await moveToOtherCampaign(app, "late");
  expect((await send(app, about(["new"], "confirm", { purchaseId: "p" }))).status).toBe("confirmed");
  await links(app, "TRANSFER", { from: "old", to: "new" });
  expect((await send(app, about(["new"], "confirm", { purchaseId: "q" }))).status).toBe("already_confirmed");
  // The newest of the linked ids' open referrals is in the campaign where the buyer counts: the other one is confirmed.
  await links(app, "TRANSFER", { from: "late", to: "new" });
  expect((await send(app, about(["new"], "confirm", { purchaseId: "r" }))).status).toBe("confirmed");
  expect(await app.states()).toEqual({ new: "redeemed", old: "code_assigned", late: "redeemed" });
});

test("a purchase that belongs to a referral confirmed by hand confirms no later one of its person", async () => {
  const app = await confirmingApp(database());
  await app.assign("ada");
  const [row] = await app.ctx.db.orm.select().from(referrals).where(eq(referrals.appId, app.ctx.app.id));
  await confirmByHand(app.ctx, { referralId: row?.id ?? "", reason: "The receipt" });
  const at = Date.now();
  const bought = () => send(app, about(["ada"], "confirm", { purchaseId: "p", occurredAt: at }));
  expect((await bought()).status).toBe("already_confirmed");
  await moveToOtherCampaign(app, "ada");
  await app.assign("ada");
  expect((await bought()).status).toBe("already_confirmed");
  expect(await app.emitted()).toEqual({ "referral.redeemed": 1 });
});

test("a purchase that names two ids of a person confirms one referral of a campaign, and a further one none", async () => {
  const app = await confirmingApp(database());
  const ids = ["bob", "$RCAnonymousID:1"];
  await app.assign(...ids);
  const buy = async (purchaseId: string) => (await send(app, about(ids, "confirm", { purchaseId }))).status;
  expect(await buy("subscription")).toBe("confirmed");
  expect(await buy("coins")).toBe("already_confirmed");
  expect(await app.states()).toEqual({ bob: "redeemed", "$RCAnonymousID:1": "code_assigned" });
});
