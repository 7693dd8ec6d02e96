import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog, providerEvents } from "@/lib/platform/db/schema";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { replayConfirmation, replayMany } from "@/lib/program/confirmations/replay";
import { dismissConfirmation } from "@/lib/program/confirmations/resolve";
import { later } from "@/lib/testing/clock";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

const [ONE, OTHER] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];

useService();

const uids = (count: number) => Array.from({ length: count }, (_, n) => `person ${n}`);

async function buy(app: ConfirmingApp, uids: string[], connection = ONE) {
  for (const uid of uids) {
    await receiveConfirmation(app.ctx, connection, {
      eventId: uuidv7(),
      type: "T",
      uids: [uid],
      payload: {},
      occurredAt: null,
      purchaseId: null,
      links: [],
      confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
    });
  }
}

/** Replays as the dialog does; stops after the given number of steps. */
async function replay(app: ConfirmingApp, filter: { connectionId?: string } = {}, steps = 100) {
  const outcomes: Record<string, number> = {};
  let cursor: string | undefined;
  for (let step = 0; step < steps; step += 1) {
    const chunk = await replayMany(app.ctx, { verdict: "unmatched", since: "1d", cursor, ...filter });
    for (const [verdict, count] of Object.entries(chunk.outcomes))
      outcomes[verdict] = (outcomes[verdict] ?? 0) + count;
    if (chunk.next === null) return outcomes;
    cursor = chunk.next;
  }
  return outcomes;
}

test("many are replayed step by step, once each, also when it is broken off and begun again", async () => {
  const app = await confirmingApp(database(), { threshold: 30 });
  await buy(app, uids(60));
  await app.assign(...uids(40));
  expect(await replay(app, {}, 1)).toEqual({ unmatched: 20, confirmed: 5 });
  const both = await Promise.all([replay(app), replay(app)]);
  expect(both.map(({ unmatched }) => unmatched)).toEqual([20, 20]);
  expect(await app.counts()).toEqual({ confirmed: 40, earned: 1, rewards: 1 });
  expect((await app.emitted())["referral.redeemed"]).toBe(40);
  expect(await replay(app)).toEqual({ unmatched: 20 });
});

test("only those of the connection, of the time and of the app", async () => {
  const [app, stranger] = [await confirmingApp(database()), await confirmingApp(database())];
  for (const each of [app, stranger]) await buy(each, ["a"]);
  await buy(app, ["b"], OTHER);
  await buy(app, ["old"]);
  await database()
    .orm.update(providerEvents)
    .set({ createdAt: later(providerEvents.createdAt, -2 * 86_400) })
    .where(sql`'old' = any(uids)`);
  await app.assign("a", "b", "old");
  await stranger.assign("a");
  expect(await replay(app, { connectionId: OTHER })).toEqual({ confirmed: 1 });
  expect(await replay(app)).toEqual({ confirmed: 1 });
  expect(await app.states()).toEqual({ a: "redeemed", b: "redeemed", old: "code_assigned" });
  expect(await stranger.states()).toEqual({ a: "code_assigned" });
  const audited = await database().orm.select().from(auditLog).where(eq(auditLog.appId, app.ctx.app.id));
  expect(audited.map(({ action, after }) => [action, after])).toEqual([
    ["event.replayed_many", { confirmed: 1 }],
    ["event.replayed_many", { confirmed: 1 }],
  ]);
});

test("a purchase that is more than an hour older than the redemption stays, and confirms only when it is replayed alone", async () => {
  const app = await confirmingApp(database());
  await buy(app, ["late", "due"]);
  const own = eq(providerEvents.appId, app.ctx.app.id);
  const old = and(own, sql`'late' = any(${providerEvents.uids})`);
  await database()
    .orm.update(providerEvents)
    .set({ createdAt: later(sql`created_at`, -7_200) })
    .where(old);
  await app.assign("late", "due");
  await replay(app);
  expect(await app.states()).toEqual({ late: "code_assigned", due: "redeemed" });
  const [event] = await database().orm.select().from(providerEvents).where(old);
  expect((await replayConfirmation(app.ctx, event?.id ?? "")).status).toBe("confirmed");
});

test("dismissed events without a referral stay dismissed, replayed together or alone", async () => {
  const app = await confirmingApp(database());
  await buy(app, ["late", "stranger"]);
  for (const { id } of (await listUnmatched(app.ctx)).data) await dismissConfirmation(app.ctx, id);
  await app.assign("late");
  const chunk = await replayMany(app.ctx, { verdict: "dismissed", since: "1d" });
  expect(chunk.outcomes).toEqual({ confirmed: 1, dismissed: 1 });
  const events = (await listEvents(app.ctx)).data;
  const id = events.find(({ uids }) => uids.includes("stranger"))?.id ?? "";
  expect(await replayConfirmation(app.ctx, id)).toMatchObject({ status: "dismissed", referralId: null });
  expect((await listUnmatched(app.ctx)).data).toEqual([]);
});

test("a page searches a part of many unmatched events for signs of a lost referral, and the next page goes on", async () => {
  const app = await confirmingApp(database());
  await buy(app, uids(1));
  await database().orm.execute(sql`
    insert into provider_events (app_id, id, connection_id, event_id, type, uids, confirmation, verdict, payload)
    select app_id, gen_random_uuid(), connection_id, n, type, uids, confirmation, verdict, payload
      from provider_events, generate_series(1, 2600) n where app_id = ${app.ctx.app.id}`);
  const page = await listUnmatched(app.ctx, { lost: true });
  expect([page.data, page.nextCursor]).toEqual([[], expect.any(String)]);
  const next = await listUnmatched(app.ctx, { lost: true, cursor: page.nextCursor ?? "" });
  expect(next).toEqual({ data: [], nextCursor: null });
});
