import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { campaigns, identityLinks, providerEvents, referrals, rounds } from "@/lib/platform/db/schema";
import { applyDueEvents, appsWithOpenEvents } from "@/lib/program/confirmations/apply-again";
import { listEvents } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { dismissConfirmation } from "@/lib/program/confirmations/resolve";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { later } from "@/lib/testing/clock";
import { applyEvent, type EventOptions } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

const DAY = (day: number) => Date.UTC(2026, 0, day);

useService();

const tell = (app: ConfirmingApp, uid: string, kind: Confirmation["kind"], details?: EventOptions) =>
  applyEvent(app.ctx, uid, kind, details);

/** Moves all events of an app into the past. */
async function age(app: ConfirmingApp, minutes: number): Promise<void> {
  await database().orm.execute(sql`update provider_events
    set created_at = ${later(sql`created_at`, -60 * minutes)} where app_id = ${app.ctx.app.id}`);
}

describe("a refund that comes before its purchase", () => {
  test("waits for it, and then counts", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "p" })).toBe("unmatched");
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" })).toBe("confirmed");
    expect(await app.states()).toEqual({ a: "reversed" });
    expect(await app.counts()).toMatchObject({ confirmed: 0 });
  });

  test("is found by its purchase alone if it names no user", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    expect(await tell(app, "", "reverse", { at: DAY(2), purchase: "p" })).toBe("unmatched");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
    expect(await app.states()).toEqual({ a: "reversed" });
    expect(await tell(app, "", "restore", { at: DAY(3), purchase: "p" })).toBe("restored");
  });

  test("does not belong to a later purchase", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(3), purchase: "p" });
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "p" })).toBe("unmatched");
    expect(await app.states()).toEqual({ a: "redeemed" });
    // The trial of that purchase arrives late, so the refund belongs to it after all.
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" })).toBe("already_confirmed");
    expect(await app.states()).toEqual({ a: "reversed" });
  });

  test("does not wait if it names another purchase or was dismissed meanwhile", async () => {
    const app = await confirmingApp(database());
    await app.assign("a", "b");
    expect(await tell(app, "a", "reverse", { at: DAY(2), purchase: "another" })).toBe("unmatched");
    expect(await tell(app, "b", "reverse", { at: DAY(2), purchase: "q" })).toBe("unmatched");
    const [dismissed] = (await listEvents(app.ctx)).data;
    await dismissConfirmation(app.ctx, dismissed?.id ?? "");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
    await tell(app, "b", "confirm", { at: DAY(1), purchase: "q" });
    expect(await app.states()).toEqual({ a: "redeemed", b: "redeemed" });
  });

  test("and before its withdrawal: neither is emitted", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "restore", { at: DAY(3), purchase: "p" });
    await tell(app, "a", "reverse", { at: DAY(2), purchase: "p" });
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
    expect(await app.states()).toEqual({ a: "redeemed" });
    expect(await app.emitted()).toEqual({ "referral.redeemed": 1 });
  });
});

test("a refund does not undo later events", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1) });
  expect(await tell(app, "a", "reverse", { at: DAY(4) })).toBe("reversed");
  expect(await tell(app, "a", "restore", { at: DAY(3) })).toBe("unmatched");
  expect(await tell(app, "a", "restore", { at: DAY(5) })).toBe("restored");
  expect(await tell(app, "a", "reverse", { at: DAY(2) })).toBe("unmatched");
  expect(await app.states()).toEqual({ a: "redeemed" });
});

/** A second campaign of the app, in which the person redeems the given number of days from now. */
async function otherCampaign(app: ConfirmingApp, uid: string, days: number): Promise<void> {
  const state = { status: "active" as const, activatedAt: new Date() };
  const campaign = { appId: app.ctx.app.id, id: uuidv7(), name: "Other", ...state };
  await database()
    .orm.insert(campaigns)
    .values({ ...campaign, type: "influencer" });
  await database()
    .orm.insert(referrals)
    .values({
      appId: app.ctx.app.id,
      campaignId: campaign.id,
      refereeUid: uid,
      id: uuidv7(),
      referrerId: app.referrerId,
      platform: "ios",
      createdAt: new Date(Date.now() + days * 86_400_000),
    });
}

const redeemed = async (app: ConfirmingApp) =>
  database().orm.$count(
    referrals,
    and(eq(referrals.appId, app.ctx.app.id), eq(referrals.status, "redeemed")),
  );

test("the conversion of a trial does not confirm an older referral of the person", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await otherCampaign(app, "a", -1);
  expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "p", paid: false })).toBe("confirmed");
  expect(await tell(app, "a", "confirm", { at: DAY(8), purchase: "p" })).toBe("already_confirmed");
  expect(await redeemed(app)).toBe(1);
  expect(await tell(app, "a", "confirm", { at: DAY(9), purchase: "another" })).toBe("confirmed");
  expect(await redeemed(app)).toBe(2);
});

test("a purchase that shows a later code confirms that code too, but not by an event before the code", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  const earlier = new Date(Date.now() - 10 * 86_400_000);
  await database()
    .orm.update(referrals)
    .set({ createdAt: earlier })
    .where(eq(referrals.appId, app.ctx.app.id));
  await otherCampaign(app, "a", -1);
  expect(await tell(app, "a", "confirm", { at: DAY(2), purchase: "p" })).toBe("already_confirmed");
  expect(await tell(app, "a", "confirm", { at: Date.now(), purchase: "p" })).toBe("confirmed");
  // Between the two, the first campaign is not forgotten: a new id of the person redeems in it again.
  await app.assign("b");
  const link = { appId: app.ctx.app.id, fromUid: "a", toUid: "b", type: "TRANSFER", eventId: uuidv7() };
  await database().orm.insert(identityLinks).values(link);
  expect(await tell(app, "b", "confirm", { at: Date.now(), purchase: "p" })).toBe("already_confirmed");
});

describe("a purchase that comes before its redemption", () => {
  test.each([
    ["an hour, less a minute", 59, "redeemed"],
    ["more than an hour", 61, "code_assigned"],
  ])("%s before: %s minutes, then %s", async (_, minutes, state) => {
    const app = await confirmingApp(database());
    expect(await tell(app, "a", "confirm")).toBe("unmatched");
    await age(app, minutes);
    await app.assign("a");
    for (let round = 0; round < 2; round += 1) await applyDueEvents(app.ctx);
    expect(await app.states()).toEqual({ a: state });
    expect(await app.counts()).toMatchObject({ confirmed: Number(state === "redeemed") });
    // By hand it may always be applied.
    const [event] = (await listEvents(app.ctx)).data;
    await replayConfirmation(app.ctx, event?.id ?? "");
    expect(await app.states()).toEqual({ a: "redeemed" });
  });
});

test("a purchase of someone confirmed before counts for a redemption in the next campaign within the hour", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  await tell(app, "a", "confirm", { purchase: "p" });
  for (const purchase of ["q", "p"])
    expect(await tell(app, "a", "confirm", { purchase })).toBe("already_confirmed");
  const due = async (seenAt = sql`now()`) => {
    const { rows } = await database().orm.execute<{ at: string }>(sql`select (${seenAt})::text as at`);
    return (await database().orm.execute(appsWithOpenEvents(rows[0]?.at ?? null))).rows;
  };
  expect(await due()).not.toContainEqual({ app_id: app.ctx.app.id });
  await otherCampaign(app, "a", 1 / 86_400);
  await database().orm.execute(sql`select emit(${app.ctx.app.id}, 'referral.code_assigned', '{}')`);
  expect(await due()).toContainEqual({ app_id: app.ctx.app.id });
  // A round that could not run for a while looks further back.
  await database().orm.execute(sql`update outbox set created_at = now() - interval '10 minutes'
    where app_id = ${app.ctx.app.id} and type = 'referral.code_assigned'`);
  expect(await due()).not.toContainEqual({ app_id: app.ctx.app.id });
  expect(await due(sql`now() - interval '11 minutes'`)).toContainEqual({ app_id: app.ctx.app.id });
  for (let round = 0; round < 2; round += 1) await applyDueEvents(app.ctx);
  expect(await redeemed(app)).toBe(2);
  expect((await listEvents(app.ctx)).data).toMatchObject([
    { purchaseId: "p", verdict: "already_confirmed", tries: 1 },
    { purchaseId: "q", verdict: "confirmed", tries: 2 },
    { purchaseId: "p", verdict: "confirmed", tries: 1 },
  ]);
});

describe("an event that cannot be applied", () => {
  const broken = sql`alter table codes add constraint broken check (status <> 'confirmed') not valid`;
  const repaired = sql`alter table codes drop constraint broken`;

  test("is stored with the reason, changes nothing, and is retried until it is applied", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await database().orm.execute(broken);
    expect(await tell(app, "a", "confirm")).toBe("failed");
    const [event] = (await listEvents(app.ctx)).data;
    expect(event).toMatchObject({ verdict: "failed", tries: 1, failure: expect.stringContaining("broken") });
    expect(await app.states()).toEqual({ a: "code_assigned" });
    const wait = () =>
      database()
        .orm.update(providerEvents)
        .set({ appliedAt: later(providerEvents.appliedAt, -3_600) })
        .where(eq(providerEvents.appId, app.ctx.app.id));
    await applyDueEvents(app.ctx);
    expect((await listEvents(app.ctx)).data[0]?.tries).toBe(1);
    await wait();
    await applyDueEvents(app.ctx);
    expect((await listEvents(app.ctx)).data[0]).toMatchObject({ verdict: "failed", tries: 2 });
    await database().orm.execute(repaired);
    await wait();
    await applyDueEvents(app.ctx);
    expect((await listEvents(app.ctx)).data[0]).toMatchObject({ verdict: "confirmed", failure: null });
    expect(await app.states()).toEqual({ a: "redeemed" });
  });

  test("has its app checked once a retry finds no referral for it, and not by every later round", async () => {
    const app = await confirmingApp(database());
    expect(await tell(app, "stranger", "confirm")).toBe("unmatched");
    const own = eq(providerEvents.appId, app.ctx.app.id);
    const at = later(providerEvents.createdAt, -3_600);
    await database().orm.update(providerEvents).set({ verdict: "failed", appliedAt: at }).where(own);
    for (const checks of [1, 0]) {
      await database().orm.delete(rounds);
      await applyDueEvents(app.ctx);
      expect(await database().orm.select().from(rounds).where(eq(rounds.name, "checks"))).toHaveLength(
        checks,
      );
    }
  });
});
