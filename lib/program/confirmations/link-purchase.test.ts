import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { campaigns, providerEvents } from "@/lib/platform/db/schema";
import { findEvent } from "@/lib/program/confirmations/event";
import { listEvents } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { confirmByHand, releaseRedemption } from "@/lib/program/referrals/by-hand";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import { later } from "@/lib/testing/clock";
import { applyEvent, type EventOptions } from "@/lib/testing/confirm";
import { onCluster } from "@/lib/testing/database/cluster";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";

useService();

const START = Date.now();
const DAY = (day: number) => START + day * DAY_MS;

/** A trial and the renewal that converts it, as RevenueCat sends it, of one purchase. */
const TRIAL: EventOptions = { at: DAY(1), purchase: "t", paid: false };
const CONVERSION: EventOptions = { at: DAY(8), purchase: "t" };
const RENEWAL: EventOptions = { ...CONVERSION, renewal: true };

const ANYONE = "$RCAnonymousID:1";

const tell = (
  app: ConfirmingApp,
  uid: string,
  details: EventOptions,
  kind: Confirmation["kind"] = "confirm",
) => applyEvent(app.ctx, uid, kind, details);

/** The ids of all events, in the order of arrival. */
const arrived = async ({ ctx }: ConfirmingApp) => (await listEvents(ctx)).data.map(({ id }) => id).reverse();

const link = ({ ctx }: ConfirmingApp, eventId: string | undefined, uid: string) =>
  linkConfirmation(ctx, { eventId: eventId ?? "", uid, reason: "The receipt" });

const verdictsOf = async ({ ctx }: ConfirmingApp) =>
  (await listEvents(ctx)).data.map(({ verdict }) => verdict).reverse();

const unlink = ({ ctx }: ConfirmingApp, eventId: string | undefined) =>
  unlinkConfirmation(ctx, { eventId: eventId ?? "", reason: "The wrong receipt" });

/** Moves the arrival of all events two hours back. */
const hoursLater = ({ ctx }: ConfirmingApp) =>
  ctx.db.orm
    .update(providerEvents)
    .set({ createdAt: later(providerEvents.createdAt, -2 * 3_600) })
    .where(eq(providerEvents.appId, ctx.app.id));

test("the events of a purchase that a member links follow it, and leave the inbox", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben", "cem");
  for (const details of [TRIAL, CONVERSION]) expect(await tell(app, ANYONE, details)).toBe("unmatched");
  const [trial] = await arrived(app);
  expect(await link(app, trial, "ben")).toMatchObject({ status: "confirmed" });
  expect(await verdictsOf(app)).toEqual(["confirmed", "already_confirmed"]);
  expect(await tell(app, ANYONE, { at: DAY(9), purchase: "t" }, "reverse")).toBe("reversed");
  expect(await app.states()).toEqual({ ben: "reversed", cem: "code_assigned" });
});

test("so they do when the buyer's own id confirms the purchase, unless they name another id", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben", "cem");
  for (const uid of ["", ANYONE]) expect(await tell(app, uid, TRIAL)).toBe("unmatched");
  expect(await tell(app, "ben", CONVERSION)).toBe("confirmed");
  expect(await verdictsOf(app)).toEqual(["already_confirmed", "unmatched", "confirmed"]);
  const [, trial] = await arrived(app);
  await expect(link(app, trial, "cem")).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await link(app, trial, "ben")).toMatchObject({ status: "already_confirmed" });
  expect(await app.states()).toEqual({ ben: "redeemed", cem: "code_assigned" });
});

test("the purchase that had waited since long before the code does not date the confirmation back", async () => {
  const app = await confirmingApp(database());
  const old = { at: DAY(-90), purchase: "t" };
  expect(await tell(app, "ben", old)).toBe("unmatched");
  expect(await tell(app, "ben", { ...old, at: DAY(-60) }, "reverse")).toBe("unmatched");
  await hoursLater(app);
  await app.assign("ben");
  expect(await tell(app, "ben", { at: Date.now(), purchase: "t" })).toBe("confirmed");
  expect(await app.states()).toEqual({ ben: "redeemed" });
  expect(await verdictsOf(app)).toEqual(["already_confirmed", "unmatched", "confirmed"]);
});

test("a purchase that confirmed one referral confirms no other of the campaign, under whichever id it arrives", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben", "cem");
  await tell(app, ANYONE, TRIAL);
  await tell(app, "$RCAnonymousID:2", CONVERSION);
  const [trial, conversion] = await arrived(app);
  await link(app, trial, "ben");
  await expect(link(app, conversion, "cem")).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await app.states()).toEqual({ ben: "redeemed", cem: "code_assigned" });
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
  expect(await verdictsOf(app)).toEqual(["confirmed", "unmatched"]);
});

test("nor does it confirm the referral once the linked purchase that it followed is unlinked", async () => {
  const app = await confirmingApp(database(), { threshold: 1 });
  await tell(app, "ben", { at: DAY(-90), purchase: "t" });
  await hoursLater(app);
  await app.assign("ben");
  await tell(app, ANYONE, CONVERSION);
  const [, conversion] = await arrived(app);
  expect(await link(app, conversion, "ben")).toMatchObject({ status: "confirmed" });
  expect(await verdictsOf(app)).toEqual(["already_confirmed", "confirmed"]);
  await unlink(app, conversion);
  expect(await verdictsOf(app)).toEqual(["unmatched", "unmatched"]);
  expect(await app.states()).toEqual({ ben: "code_assigned" });
});

test("a linked event that is unlinked takes along what followed it, and not what followed another", async () => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  await app.assign("ben");
  await tell(app, ANYONE, TRIAL);
  await tell(app, "$RCAnonymousID:2", { ...CONVERSION, at: DAY(9) });
  const [trial, other] = await arrived(app);
  await link(app, trial, "ben");
  for (const uid of [ANYONE, ""]) await tell(app, uid, CONVERSION);
  expect(await link(app, other, "ben")).toMatchObject({ status: "already_confirmed" });
  await unlink(app, other);
  expect(await verdictsOf(app)).toEqual(["not_paid", "unmatched", "confirmed", "already_confirmed"]);
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
  await link(app, other, "ben");
  await unlink(app, trial);
  expect(await verdictsOf(app)).toEqual(["unmatched", "confirmed", "unmatched", "already_confirmed"]);
  expect(await app.states()).toEqual({ ben: "redeemed" });
});

test.each([
  ["before", true],
  ["after", false],
])("the payment of a trial that a member links confirms, though it arrives %s that", async (_, before) => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  await app.assign("ben", "cem");
  await tell(app, ANYONE, TRIAL);
  if (before) expect(await tell(app, ANYONE, RENEWAL)).toBe("unmatched");
  const [trial] = await arrived(app);
  expect(await link(app, trial, "ben")).toMatchObject({ status: before ? "confirmed" : "not_paid" });
  if (!before) expect(await tell(app, ANYONE, RENEWAL)).toBe("confirmed");
  expect(await verdictsOf(app)).toEqual(["not_paid", "confirmed"]);
  expect(await app.states()).toEqual({ ben: "redeemed", cem: "code_assigned" });
  // Linked with the wrong person: unlinked, it takes the payment along, and then it confirms the right one.
  await unlink(app, trial);
  expect(await verdictsOf(app)).toEqual(["unmatched", "unmatched"]);
  expect(await link(app, trial, "cem")).toMatchObject({ status: "confirmed" });
  expect(await app.states()).toEqual({ ben: "code_assigned", cem: "redeemed" });
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
});

test.each([
  ["trial", 0],
  ["payment", 1],
])("a payment whose trial is held back confirms, also if a member links the %s", async (_, linked) => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  await app.assign("ben");
  for (const details of [TRIAL, RENEWAL]) expect(await tell(app, "", details)).toBe("unmatched");
  expect(await link(app, (await arrived(app))[linked], "ben")).toMatchObject({ status: "confirmed" });
  expect(await verdictsOf(app)).toEqual(["not_paid", "confirmed"]);
  expect(await app.states()).toEqual({ ben: "redeemed" });
});

test("a member who links a renewal whose trial confirms reads that, and so does the audit log", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  for (const details of [TRIAL, RENEWAL]) await tell(app, ANYONE, details);
  const [, renewal = ""] = await arrived(app);
  expect(await link(app, renewal, "ben")).toMatchObject({ status: "confirmed" });
  expect(await verdictsOf(app)).toEqual(["confirmed", "renewal"]);
  const [entry] = (await auditOfSubject(app.ctx, renewal)).data;
  expect(entry?.changes).toContainEqual({ field: "verdict", before: "unmatched", after: "confirmed" });
});

test("a renewal that a member linked stays linked when it is replayed, and confirms once the campaign counts it", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  await tell(app, ANYONE, RENEWAL);
  const [eventId] = await arrived(app);
  expect(await link(app, eventId, "ben")).toMatchObject({ status: "renewal" });
  const replay = () => replayConfirmation(app.ctx, eventId ?? "");
  expect(await replay()).toMatchObject({ status: "renewal" });
  const matchedBy = async () => (await findEvent(app.ctx, eventId))?.matchedBy;
  expect(await matchedBy()).toEqual({ uid: "ben", hand: true });
  await app.ctx.db.orm
    .update(campaigns)
    .set({ confirmAnyRenewal: true })
    .where(eq(campaigns.appId, app.ctx.app.id));
  expect(await replay()).toMatchObject({ status: "confirmed" });
  expect(await matchedBy()).toEqual({ uid: "ben", hand: true });
  expect(await app.states()).toEqual({ ben: "redeemed" });
});

test("a purchase that is linked to a referral confirmed meanwhile changes nothing and stays linked", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  await tell(app, ANYONE, CONVERSION);
  await confirmByHand(app.ctx, { referralId: await referralIdOf(app.ctx, "ben"), reason: "The receipt" });
  const [eventId] = await arrived(app);
  expect(await link(app, eventId, "ben")).toMatchObject({ status: "already_confirmed" });
  const [event] = await app.ctx.db.orm
    .select()
    .from(providerEvents)
    .where(eq(providerEvents.appId, app.ctx.app.id));
  expect(event?.matchedBy).toEqual({ uid: "ben", hand: true });
});

test("a renewal that a member linked to a redemption which is released since goes by its own ids again", async () => {
  const app = await confirmingApp(database());
  await app.assign("ben");
  await tell(app, ANYONE, RENEWAL);
  const [eventId] = await arrived(app);
  expect(await link(app, eventId, "ben")).toMatchObject({ status: "renewal" });
  await releaseRedemption(app.ctx, {
    referralId: await referralIdOf(app.ctx, "ben"),
    reason: "The wrong friend",
  });
  await app.assign("ben");
  expect(await replayConfirmation(app.ctx, eventId ?? "")).toMatchObject({ status: "unmatched" });
});

test.skipIf(onCluster())(
  "a member who links or unlinks an event does not notice a deadlock (a cluster has no triggers)",
  async () => {
    const app = await confirmingApp(database());
    await app.assign("ben");
    await tell(app, ANYONE, CONVERSION);
    const [event] = await arrived(app);
    onTestFinished(async () => {
      await database().pool.query("drop function if exists break_off cascade; drop sequence updates");
    });
    await database().pool.query(`
      create sequence updates;
      create function break_off() returns trigger language plpgsql as $$ begin
        if nextval('updates') = 1 then raise exception using errcode = '40P01'; end if; return new; end $$;
      create trigger break_off before update on provider_events for each row execute function break_off()`);
    for (const change of [() => link(app, event, "ben"), () => unlink(app, event)]) {
      await database().pool.query("alter sequence updates restart");
      await change();
    }
    expect(await verdictsOf(app)).toEqual(["unmatched"]);
  },
);
