import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { providerEvents, referrals } from "@/lib/platform/db/schema";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import { listEvents } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { applyEvent, type EventOptions } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { seededRandom, shuffled } from "@/lib/testing/numbers";
import { inParallel } from "@/lib/testing/parallel";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";

/** Times after the redemptions. */
const START = Date.now();
const DAY = (day: number) => START + day * DAY_MS;

useService();

const tell = (app: ConfirmingApp, uid: string, kind: Confirmation["kind"], details?: EventOptions) =>
  applyEvent(app.ctx, uid, kind, details);

describe("an earlier purchase that arrives after a later one", () => {
  const eventsOf = async ({ ctx }: ConfirmingApp) => {
    const rows = await ctx.db.orm.select().from(providerEvents).where(eq(providerEvents.appId, ctx.app.id));
    return rows
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ confirmation, purchaseId, verdict }) => [confirmation.kind, purchaseId, verdict]);
  };

  test("takes its place, so that the refund of the later one changes nothing, whichever arrives first", async () => {
    const app = await confirmingApp(database(), { threshold: 1 });
    await app.assign("a", "b");
    for (const uid of ["a", "b"])
      await tell(app, uid, "confirm", { at: DAY(2), purchase: `coins of ${uid}` });
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins of a" })).toBe("reversed");
    for (const uid of ["a", "b"])
      expect(await tell(app, uid, "confirm", { at: DAY(1), purchase: `subscription of ${uid}` })).toBe(
        "confirmed",
      );
    expect(await tell(app, "b", "reverse", { at: DAY(3), purchase: "coins of b" })).toBe("unmatched");
    await applyDueEvents(app.ctx);
    expect(await app.states()).toEqual({ a: "redeemed", b: "redeemed" });
    expect(await app.counts()).toMatchObject({ confirmed: 2, rewards: 2 });
    expect(await tell(app, "a", "reverse", { at: DAY(4), purchase: "subscription of a" })).toBe("reversed");
    expect(await app.states()).toEqual({ a: "reversed", b: "redeemed" });
  });

  test("returns the refund of the later one to the inbox, and meets its own there", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" });
    await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" });
    expect(await tell(app, "a", "reverse", { at: DAY(4), purchase: "subscription" })).toBe("unmatched");
    await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" });
    expect(await app.states()).toEqual({ a: "reversed" });
    const rows = await eventsOf(app);
    expect(rows).toEqual([
      ["confirm", "coins", "already_confirmed"],
      ["reverse", "coins", "unmatched"],
      ["reverse", "subscription", "reversed"],
      ["confirm", "subscription", "confirmed"],
    ]);
  });

  test("does not, where it is older than the code, or a member linked the refund", async () => {
    const app = await confirmingApp(database());
    await app.assign("a", "b");
    for (const uid of ["a", "b"])
      await tell(app, uid, "confirm", { at: DAY(2), purchase: `coins of ${uid}` });
    await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins of a" });
    expect(await tell(app, "a", "confirm", { at: DAY(-400), purchase: "old of a" })).toBe(
      "already_confirmed",
    );
    await tell(app, "", "reverse", { at: DAY(3), purchase: "receipt of b" });
    const [event] = (await listEvents(app.ctx)).data;
    await linkConfirmation(app.ctx, { eventId: event?.id ?? "", uid: "b", reason: "The receipt" });
    expect(await tell(app, "b", "confirm", { at: DAY(1), purchase: "subscription of b" })).toBe(
      "already_confirmed",
    );
    expect(await app.states()).toEqual({ a: "reversed", b: "reversed" });
  });

  test("leaves a reversal by hand, of which the refund of the later one had become the reason", async () => {
    const app = await confirmingApp(database(), { threshold: 1 });
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" });
    const referralId = await referralIdOf(app.ctx, "a");
    await reverseReferral(app.ctx, { referralId, reason: "Stolen card", withdraw: "true" });
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" })).toBe("reversed");
    const before = [await app.states(), await app.counts(), await app.emitted()];
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" })).toBe("confirmed");
    expect([await app.states(), await app.counts(), await app.emitted()]).toEqual(before);
    expect(before.slice(0, 2)).toMatchObject([{ a: "reversed" }, { confirmed: 0 }]);
    // The provider no longer reports a refund, so a member may undo the reversal.
    await restoreReferral(app.ctx, { referralId, reason: "A mistake" });
    expect(await app.states()).toEqual({ a: "redeemed" });
  });

  test("takes its place although a purchase older than the code has arrived between the two", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" });
    expect(await tell(app, "a", "confirm", { at: DAY(-400), purchase: "old" })).toBe("already_confirmed");
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" })).toBe("confirmed");
    expect(await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" })).toBe("unmatched");
    expect(await app.states()).toEqual({ a: "redeemed" });
  });

  test("is reversed by its own refund, though that of the later one was withdrawn afterwards", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" });
    await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" });
    expect(await tell(app, "a", "restore", { at: DAY(5), purchase: "coins" })).toBe("restored");
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" })).toBe("confirmed");
    expect(await tell(app, "a", "reverse", { at: DAY(4), purchase: "subscription" })).toBe("reversed");
    expect(await app.states()).toEqual({ a: "reversed" });
  });

  test("keeps the order of a refund that names no purchase", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" });
    await tell(app, "a", "reverse", { at: DAY(3) });
    expect(await tell(app, "a", "restore", { at: DAY(5) })).toBe("restored");
    expect(await tell(app, "a", "confirm", { at: DAY(1), purchase: "subscription" })).toBe("confirmed");
    expect(await tell(app, "a", "reverse", { at: DAY(4) })).toBe("unmatched");
    expect(await app.states()).toEqual({ a: "redeemed" });
  });

  /** The purchase of an unknown buyer, linked with `a` by a member; returns its event. */
  async function linked(app: ConfirmingApp, details: EventOptions): Promise<string> {
    await tell(app, "", "confirm", details);
    const eventId = (await listEvents(app.ctx)).data[0]?.id ?? "";
    await linkConfirmation(app.ctx, { eventId, uid: "a", reason: "The receipt" });
    return eventId;
  }

  test("gives its place back when a member unlinks it, and the refund of the later one counts again", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    await tell(app, "a", "confirm", { at: DAY(2), purchase: "coins" });
    await tell(app, "a", "reverse", { at: DAY(3), purchase: "coins" });
    const eventId = await linked(app, { at: DAY(1), purchase: "subscription" });
    expect(await app.states()).toEqual({ a: "redeemed" });
    await unlinkConfirmation(app.ctx, { eventId, reason: "The wrong receipt" });
    expect(await app.states()).toEqual({ a: "reversed" });
    expect(await app.counts()).toMatchObject({ confirmed: 0 });
    expect(await eventsOf(app)).toEqual([
      ["confirm", "coins", "confirmed"],
      ["reverse", "coins", "reversed"],
      ["confirm", "subscription", "unmatched"],
    ]);
  });

  test("may arrive while a member unlinks the later one: neither breaks off", async () => {
    const app = await confirmingApp(database());
    await app.assign("a");
    const eventId = await linked(app, { at: DAY(2), purchase: "coins" });
    const unlinking = await database().transaction(async (db) => {
      await db.orm.execute(sql`select 1 from ${referrals} where app_id = ${app.ctx.app.id} for update`);
      const outcome = unlinkConfirmation(app.ctx, { eventId, reason: "The wrong receipt" }).then(
        () => "unlinked",
        (error: unknown) => error,
      );
      await blockedBackends();
      const ctx = { ...app.ctx, db };
      const purchase = { at: DAY(1), purchase: "subscription" };
      expect(await applyEvent(ctx, "a", "confirm", purchase)).toBe("confirmed");
      return { outcome };
    });
    expect(await unlinking.outcome).toBe("unlinked");
    expect(await app.states()).toEqual({ a: "redeemed" });
    expect(await eventsOf(app)).toEqual([
      ["confirm", "coins", "unmatched"],
      ["confirm", "subscription", "confirmed"],
    ]);
  });
});

/** The events of one purchase. */
const COURSES: Confirmation["kind"][][] = [
  ["confirm"],
  ["confirm", "reverse"],
  ["confirm", "reverse", "restore"],
  ["confirm", "reverse", "restore", "reverse"],
];

/** The events of several purchases of one person, which overlap in time. */
function purchasesOf(uid: string, random: () => number) {
  const events = ["first", "second", "third"].flatMap((name) => {
    const course = COURSES[Math.floor(random() * COURSES.length)] ?? [];
    let at = DAY(1);
    return course.map((kind) => {
      at += Math.ceil(random() * DAY_MS);
      return { uid, kind, at, purchase: `${name} of ${uid}` };
    });
  });
  return events.sort((event, next) => event.at - next.at);
}

test("events of three purchases each, in any order and in parallel, leave what one ordered pass leaves", async () => {
  const random = seededRandom(42);
  const uids = Array.from({ length: 200 }, (_, index) => `user ${index}`);
  const events = uids.flatMap((uid) => purchasesOf(uid, random));
  const [ordered, other] = [await confirmingApp(database()), await confirmingApp(database())];
  for (const [app, list, width] of [
    [ordered, events, 1],
    [other, shuffled(events, random), 4],
  ] as const) {
    await app.assign(...uids);
    await inParallel(list.length, width, async (index) => {
      const { uid, kind, at, purchase } = list[index] as (typeof events)[number];
      await tell(app, uid, kind, { at, purchase });
    });
    for (let [before, after] = ["", "begun"]; before !== after; ) {
      await applyDueEvents(app.ctx);
      [before, after] = [after, JSON.stringify(await app.states())];
    }
  }
  const states = await ordered.states();
  expect(await other.states()).toEqual(states);
  const confirmed = Object.values(states).filter((state) => state === "redeemed").length;
  for (const app of [ordered, other]) expect(await app.counts()).toMatchObject({ confirmed });
  expect(confirmed).toBeGreaterThan(0);
  expect(confirmed).toBeLessThan(uids.length);
});
