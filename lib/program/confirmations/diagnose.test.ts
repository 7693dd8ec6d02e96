import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { apps, campaigns, providerEvents, undoneSteps } from "@/lib/platform/db/schema";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { dismissConfirmation, restoreConfirmation } from "@/lib/program/confirmations/resolve";
import { joinUids } from "@/lib/program/end-users/join";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { applyEvent } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

const CONNECTION = "00000000-0000-7000-8000-000000000001";

useService();

async function tell(
  app: ConfirmingApp,
  uids: string[],
  kind: Confirmation["kind"],
  sandbox = false,
  purchaseId: string | null = null,
) {
  await receiveConfirmation(app.ctx, CONNECTION, {
    ...{ eventId: uuidv7(), type: kind, uids, payload: {}, occurredAt: null, purchaseId, links: [] },
    confirmation: { kind, paid: true, renewal: false, sandbox },
  });
}

/** The diagnoses of everything in an app's inbox, by the first id of each. */
async function diagnoses(app: ConfirmingApp) {
  const { data } = await listEvents(app.ctx);
  const found = await diagnoseEvents(app.ctx, data);
  return Object.fromEntries(data.map(({ id, uids }) => [uids[0] ?? "", found[id]]));
}

const whysIn = async ({ ctx }: ConfirmingApp) =>
  Object.values(await diagnoseEvents(ctx, (await listUnmatched(ctx)).data));
const lostIn = async ({ ctx }: ConfirmingApp) =>
  (await listUnmatched(ctx, { lost: true })).data.map(({ id }) => id);
/** Moves the arrival of all events of an app two hours back. */
const ageEvents = ({ ctx }: ConfirmingApp) =>
  database()
    .orm.update(providerEvents)
    .set({ createdAt: new Date(Date.now() - 2 * 3_600_000) })
    .where(eq(providerEvents.appId, ctx.app.id));

test("each waiting event has a reason, and a matched event has none", async () => {
  const app = await confirmingApp(database());
  await app.assign("matched", "refunded too early", "late");
  for (const uid of ["matched", "stranger", "$RCAnonymousID:1"]) await tell(app, [uid], "confirm");
  await tell(app, [], "confirm");
  await tell(app, ["sandbox"], "confirm", true);
  await tell(app, ["refunded too early"], "reverse");
  await tell(app, ["turned", "matched"], "restore");
  const found = await diagnoses(app);
  expect(found.matched).toBeUndefined();
  expect(found).toMatchObject({
    turned: { why: "nothing_to_turn" },
    stranger: { why: "never_redeemed" },
    "$RCAnonymousID:1": { why: "anonymous" },
    "": { why: "no_id" },
    sandbox: { why: "sandbox" },
    "refunded too early": { why: "before_purchase" },
  });
});

test("a refund with an id of its own is distinguished from its purchase by both ids", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, ["a"], "confirm", false, "order_1");
  await tell(app, ["a", "again"], "reverse", false, "refund_1");
  const purchases = { event: "refund_1", referral: "order_1" };
  expect(await whysIn(app)).toEqual([{ why: "other_purchase", purchases }]);
});

test("a second refund of a Stripe subscription, which names its payment, changes nothing; one of coins is of another purchase", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, ["a"], "confirm", false, "sub_1");
  for (const payment of ["pi_1", "pi_2"]) await tell(app, ["a"], "reverse", false, payment);
  expect(await app.states()).toEqual({ a: "reversed" });
  expect(await whysIn(app)).toEqual([{ why: "nothing_to_turn" }]);
  const bought = await confirmingApp(database());
  await bought.assign("a");
  for (const purchase of ["sub_1", "pi_coins"]) await tell(bought, ["a"], "confirm", false, purchase);
  const why = { why: "other_purchase", purchases: { event: "pi_coins", referral: "sub_1" } };
  for (const payment of ["pi_coins", "pi_1"]) {
    await tell(bought, ["a"], "reverse", false, payment);
    expect(await whysIn(bought)).toEqual([why]);
  }
});

test.each([
  ["pi_1", { renewal: true, purchase: "sub_1" }, "held_back", "reversed"],
  ["trial", { paid: false, purchase: "trial" }, "held_back", "reversed"],
  ["coins", { renewal: true, purchase: "sub_1" }, "before_purchase", "redeemed"],
])(
  "a refund of %s after a purchase that is held back, %o, is %s, and is applied if that confirms: %s",
  async (refunded, bought, why, state) => {
    const app = await confirmingApp(database(), { confirmOn: "paid" });
    await app.assign("a");
    await applyEvent(app.ctx, "a", "confirm", bought);
    expect(await applyEvent(app.ctx, "a", "reverse", { purchase: refunded })).toBe("unmatched");
    const [refund, held] = (await listEvents(app.ctx)).data;
    expect(Object.values(await diagnoseEvents(app.ctx, refund ? [refund] : []))).toEqual([{ why }]);
    expect(await lostIn(app)).toEqual(why === "held_back" ? [] : [refund?.id]);
    const rules = { confirmOn: "start", confirmAnyRenewal: true } as const;
    await database().orm.update(campaigns).set(rules).where(eq(campaigns.appId, app.ctx.app.id));
    expect((await replayConfirmation(app.ctx, held?.id ?? "")).status).toBe("confirmed");
    expect(await app.states()).toEqual({ a: state });
  },
);

test.each(["order_1", "pi_1"])("refund %s is replayed until a later event overtakes it", async (of) => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, ["a"], "reverse", false, of);
  const [refund] = (await listUnmatched(app.ctx)).data;
  const id = refund?.id ?? "";
  await dismissConfirmation(app.ctx, id);
  expect(await diagnoses(app)).toEqual({});
  await tell(app, ["a"], "confirm", false, of === "pi_1" ? "sub_1" : of);
  await restoreConfirmation(app.ctx, id);
  const happened = (occurredAt: Date) =>
    app.ctx.db.orm.update(providerEvents).set({ occurredAt }).where(eq(providerEvents.id, id));
  await happened(new Date(Date.now() - 60_000));
  expect(await whysIn(app)).toEqual([{ why: "nothing_to_turn" }]);
  expect((await replayConfirmation(app.ctx, id)).status).toBe("unmatched");
  await happened(new Date());
  expect(await whysIn(app)).toEqual([{ why: "not_applied" }]);
  expect((await replayConfirmation(app.ctx, id)).status).toBe("reversed");
  await tell(app, ["a"], "reverse", false, of);
  expect(await whysIn(app)).toEqual([{ why: "nothing_to_turn" }]);
});

const TOMORROW = Date.now() + 24 * 3_600_000;
test.each([
  ["years ago", Date.UTC(2022, 0, 1), Date.UTC(2020, 0, 1), Date.UTC(2023, 0, 1)],
  ["tomorrow by a wrong clock", TOMORROW, TOMORROW - 1, TOMORROW + 1],
  ["tomorrow by a wrong clock, with a refund of today,", TOMORROW, TOMORROW - 1, null],
])(
  "a refund that is older than a purchase of %s is no sign of a lost referral, and a later one is",
  async (_, bought, before, after) => {
    const app = await confirmingApp(database());
    await app.assign("a");
    expect(await applyEvent(app.ctx, "a", "confirm", { at: bought, purchase: "p" })).toBe("confirmed");
    expect(await applyEvent(app.ctx, "a", "reverse", { at: before, purchase: "p" })).toBe("unmatched");
    expect([await lostIn(app), await whysIn(app)]).toEqual([[], [{ why: "nothing_to_turn" }]]);
    const id = (await listUnmatched(app.ctx)).data[0]?.id ?? "";
    const occurredAt = after === null ? null : new Date(after);
    await database().orm.update(providerEvents).set({ occurredAt }).where(eq(providerEvents.id, id));
    expect(await lostIn(app)).toEqual([id]);
    expect((await replayConfirmation(app.ctx, id)).status).toBe("reversed");
    expect(await applyEvent(app.ctx, "a", "restore", { at: before, purchase: "p" })).toBe("unmatched");
    expect(await lostIn(app)).toEqual([]);
  },
);

test("a person who redeemed much later is given that reason", async () => {
  const app = await confirmingApp(database());
  await tell(app, ["late"], "confirm", false, "p");
  for (const kind of ["reverse", "restore"] as const) await tell(app, ["late"], kind, false, "p");
  await ageEvents(app);
  await app.assign("late");
  expect((await whysIn(app)).map(({ why }) => why)).toEqual(["held_back", "held_back", "redeemed_later"]);
  expect(await lostIn(app)).toEqual([]);
});

test("ids that were joined are one person: a purchase under the other id has its redemption, even a later one", async () => {
  const app = await confirmingApp(database());
  await tell(app, ["old"], "confirm");
  await ageEvents(app);
  await app.assign("new");
  expect(await diagnoses(app)).toEqual({ old: { why: "never_redeemed" } });
  await joinUids(app.ctx, { uid: "new", otherUid: "old", reason: "New phone" });
  expect(await diagnoses(app)).toEqual({ old: { why: "redeemed_later" } });
});

test("links are followed as far as matching follows them, four in a row, and only those of the event's own person", async () => {
  const app = await confirmingApp(database());
  for (const uid of ["e", "far", "stranger"]) await tell(app, [uid], "confirm");
  await ageEvents(app);
  await app.assign("a");
  for (const link of ["e-d", "c-d", "c-b", "a-b", "far-e"]) {
    const [uid = "", otherUid = ""] = link.split("-");
    await joinUids(app.ctx, { uid, otherUid, reason: "New phone", keepApart: "true" });
  }
  expect(await diagnoses(app)).toEqual({
    e: { why: "redeemed_later" },
    far: { why: "never_redeemed" },
    stranger: { why: "never_redeemed" },
  });
});

test("a person in line, or whose redemption was released, was invited: the purchase may be a lost referral", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 1 });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("released", metacode);
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "released"), reason: "Wrong friend" });
  expect((await api.redeem("waits", metacode)).status).toBe(503);
  for (const uid of ["released", "waits", "stranger"]) expect(await applyEvent(ctx, uid)).toBe("unmatched");
  const { data } = await listUnmatched(ctx);
  const found = await diagnoseEvents(ctx, data);
  const whys = data.map(({ id, uids }) => [uids[0], found[id]?.why]).sort();
  expect(whys).toEqual([
    ["released", "no_code"],
    ["stranger", "never_redeemed"],
    ["waits", "no_code"],
  ]);
  const lost = (await listUnmatched(ctx, { lost: true })).data.flatMap(({ uids }) => uids);
  expect(lost.sort()).toEqual(["released", "waits"]);
  await ctx.db.orm
    .update(undoneSteps)
    .set({ createdAt: new Date(Date.now() - 31 * 24 * 3_600_000) })
    .where(eq(undoneSteps.appId, ctx.app.id));
  expect((await listUnmatched(ctx, { lost: true })).data.flatMap(({ uids }) => uids)).toEqual(["waits"]);
  expect(await applyEvent(ctx, "released", "reverse")).toBe("unmatched");
  const [refund] = (await listUnmatched(ctx)).data;
  expect(await diagnoseEvents(ctx, refund ? [refund] : [])).toEqual({
    [refund?.id ?? ""]: { why: "no_code" },
  });
});

test("another app of the workspace is named, an app of another tenant never", async () => {
  const [app, sister, stranger] = [
    await confirmingApp(database()),
    await confirmingApp(database()),
    await confirmingApp(database()),
  ];
  const ofOurs = { workspaceId: app.ctx.workspace.id, name: "Sister" };
  await database().orm.update(apps).set(ofOurs).where(eq(apps.id, sister.ctx.app.id));
  await sister.assign("there");
  await stranger.assign("stranger");
  for (const uid of ["there", "stranger"]) await tell(app, [uid], "confirm");
  expect(await diagnoses(app)).toEqual({
    there: { why: "other_app", app: { id: sister.ctx.app.id, name: "Sister" } },
    stranger: { why: "never_redeemed" },
  });
  // Its own purchase confirmed the redemption there, so this one is not missing.
  await tell(sister, ["there"], "confirm");
  expect(await diagnoses(app)).toMatchObject({ there: { why: "never_redeemed" } });
});
