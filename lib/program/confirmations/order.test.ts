import { setTimeout as pause } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { openDatabase } from "@/lib/platform/db/client";
import { isOutage } from "@/lib/platform/db/outage";
import { referrals } from "@/lib/platform/db/schema";
import { AppError } from "@/lib/platform/errors";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import type { ProviderEvent } from "@/lib/program/providers/common/adapter";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { endHolds } from "@/lib/program/rewards/holds";
import { redeemAgain } from "@/lib/testing/confirm";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";
import { seededRandom, shuffled } from "@/lib/testing/numbers";
import { inParallel, persistently } from "@/lib/testing/parallel";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { type PurchaseHistory, purchaseHistory, type Release } from "@/lib/testing/provider-events/histories";

const CONNECTION = "00000000-0000-7000-8000-000000000001";
const COPIES = 3;
const WIDTH = 16;

/** `INBOX_EVENTS=10000` is the size that the project promises; it takes seven minutes on two cores. */
const EVENTS = Number(process.env.INBOX_EVENTS ?? 1_000);

/** A generous limit for a busy machine, not an expected time. */
const PATIENCE = 600_000 * Math.max(1, EVENTS / 1_000);

let base: TestDatabase;
let db: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  process.env.LOG_LEVEL = "silent";
  base = await testDatabase();
  db = openDatabase({ url: base.url, size: WIDTH, waitMs: 20_000 });
});

afterAll(async () => {
  await db?.close();
  await base?.drop();
});

/** Counted over all tests so far. */
let deliveries = 0;

/** Repeats what an outage or a busy machine broke off, as providers, members and rounds do. */
async function retried(work: () => Promise<unknown>): Promise<void> {
  const failure = await persistently(
    () =>
      work().then(
        () => undefined,
        (error: unknown) => error,
      ),
    (error) => error === undefined || !isOutage(error),
  );
  if (failure !== undefined) throw failure;
}

async function deliver(app: ConfirmingApp, event: ProviderEvent | Release): Promise<void> {
  await retried(() =>
    "release" in event ? release(app, event) : receiveConfirmation(app.ctx, CONNECTION, event),
  );
  deliveries += 1;
}

/** Releases a redemption that is not confirmed yet; then the referee redeems again, unless that is over. */
async function release({ ctx, assign }: ConfirmingApp, { release: uid, again }: Release): Promise<void> {
  const [open] = await db.orm
    .select({ id: referrals.id })
    .from(referrals)
    .where(and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, uid)));
  if (open) {
    await releaseRedemption(ctx, { referralId: open.id, reason: "Wrong friend" }).catch((error: unknown) => {
      // A purchase, or another copy of the release, was faster.
      if (!(error instanceof AppError)) throw error;
    });
  }
  if (again) await assign(uid);
}

async function inOrder({ events }: PurchaseHistory, app: ConfirmingApp): Promise<ConfirmingApp> {
  for (const event of events) await deliver(app, event);
  return app;
}

async function assignedTo({ uids }: PurchaseHistory, holdDays = 0): Promise<ConfirmingApp> {
  const app = await confirmingApp(db, { holdDays });
  await app.assign(...uids);
  return app;
}

async function inAnyOrder(
  { events }: PurchaseHistory,
  seed: number,
  app: ConfirmingApp,
): Promise<ConfirmingApp> {
  const all = shuffled(Array.from({ length: COPIES }, () => events).flat(), seededRandom(seed));
  await inParallel(all.length, WIDTH, (index) => deliver(app, all[index] as ProviderEvent | Release));
  return app;
}

/** Terminates busy connections, two after each delivery at most, until `work` is done; returns how many. */
async function killingMeanwhile(work: Promise<unknown>): Promise<number> {
  const killer = openDatabase({ url: base.url, size: 1, waitMs: 20_000 });
  let [kills, ended, seen] = [0, false, deliveries];
  const done = work.finally(() => {
    ended = true;
  });
  while (!ended) {
    await pause(1);
    // A killer that is faster than the deliveries would let none through.
    if (deliveries === seen) continue;
    seen = deliveries;
    const { rowCount } = await killer.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active' limit 2`);
    kills += rowCount ?? 0;
  }
  await killer.close();
  await done;
  return kills;
}

/** The outcome after the rounds that apply events of concurrent transactions, or that came between redemptions. */
async function outcome(app: ConfirmingApp) {
  for (let [before, after] = ["", "begun"]; before !== after; ) {
    await retried(() => applyDueEvents(app.ctx));
    [before, after] = [after, JSON.stringify(await app.states())];
  }
  const { rows } = await db.orm.execute<{ events: number }>(
    sql`select count(*)::int as events from provider_events where app_id = ${app.ctx.app.id}`,
  );
  const { confirmed } = await app.counts();
  return { states: await app.states(), codes: await app.codes(), confirmed, inbox: rows[0] };
}

test(
  "shuffled copies in parallel leave the referrals, codes and counts of one ordered pass",
  async () => {
    const history = purchaseHistory({ events: EVENTS, seed: 1, refunds: true });
    const [ordered, other] = [
      await inOrder(history, await assignedTo(history)),
      await inAnyOrder(history, 2, await assignedTo(history)),
    ];
    expect(await outcome(other)).toEqual(await outcome(ordered));
    const states = new Set(Object.values(await ordered.states()));
    expect(states).toEqual(new Set(["redeemed", "reversed", "code_assigned"]));
    // The order of arrival decides which confirmation is the third, but a reward always takes three.
    const [{ confirmed, rewards }, ever] = [
      await other.counts(),
      (await other.emitted())["referral.redeemed"] ?? 0,
    ];
    expect(rewards).toBeGreaterThanOrEqual(Math.floor(confirmed / 3));
    expect(rewards).toBeLessThanOrEqual(Math.floor(ever / 3));
  },
  PATIENCE,
);

test(
  "where nothing is refunded the rewards are those of one ordered pass too",
  async () => {
    const history = purchaseHistory({ events: EVENTS / 4, seed: 3, refunds: false });
    const [ordered, other] = [
      await inOrder(history, await assignedTo(history)),
      await inAnyOrder(history, 4, await assignedTo(history)),
    ];
    expect(await outcome(other)).toEqual(await outcome(ordered));
    expect(await other.counts()).toEqual(await ordered.counts());
    // A purchase that comes before the release keeps its redemption.
    const [{ "referral.released": some, ...others }, { "referral.released": more, ...rest }] = [
      await other.emitted(),
      await ordered.emitted(),
    ];
    expect(others).toEqual(rest);
    for (const released of [some, more]) expect(released).toBeGreaterThan(0);
  },
  PATIENCE,
);

/** Lets the holds of all referrals end: several processes end them at once, twice. */
async function holdsEnd({ ctx }: ConfirmingApp): Promise<void> {
  await db.orm.execute(sql`update referrals set counts_from = now() where app_id = ${ctx.app.id} and held`);
  for (let round = 0; round < 2; round++) {
    await Promise.all(Array.from({ length: 4 }, () => retried(() => endHolds(ctx))));
  }
}

test(
  "where a hold covers the disorder the rewards are those of one ordered pass, refunds or not",
  async () => {
    const history = purchaseHistory({ events: EVENTS, seed: 7, refunds: true });
    const [ordered, other] = [
      await inOrder(history, await assignedTo(history, 14)),
      await inAnyOrder(history, 8, await assignedTo(history, 14)),
    ];
    expect(await outcome(other)).toEqual(await outcome(ordered));
    for (const app of [ordered, other]) {
      expect(await app.counts()).toEqual({ confirmed: 0, earned: 0, rewards: 0 });
      await holdsEnd(app);
    }
    expect(await outcome(other)).toEqual(await outcome(ordered));
    const { confirmed, earned, rewards } = await ordered.counts();
    expect([earned, rewards]).toEqual([Math.floor(confirmed / 3), Math.floor(confirmed / 3)]);
    expect(await other.counts()).toEqual({ confirmed, earned, rewards });
    expect((await other.emitted())["reward.earned"]).toBe(rewards);
  },
  PATIENCE,
);

test(
  "payments confirm the referrals of their trials, and no others, where every referee has redeemed again since",
  async () => {
    const history = purchaseHistory({ events: EVENTS / 2, seed: 9, refunds: true });
    const uids = history.uids.toSorted();
    const events = history.events.flatMap((event) => ("release" in event ? [] : event));
    // Dated after the second redemption, which is of today.
    for (const event of events) event.occurredAt = Number(event.occurredAt) + 730 * DAY_MS;
    const begun = events.filter(({ type }) => type === "TRIAL" || type === "SUBSCRIBER_ALIAS");
    const tried = new Set(
      begun.flatMap(({ type, uids: [uid] }) => (type === "TRIAL" ? uid?.split(" moved")[0] : [])),
    );
    const outcomes = [];
    for (const seed of [0, 10]) {
      const app = await confirmingApp(db, { confirmOn: "paid" });
      await app.assign(...uids);
      await inOrder({ uids, events: begun }, app);
      const { statuses } = await redeemAgain(app.ctx);
      await (seed ? inAnyOrder({ uids, events }, seed, app) : inOrder({ uids, events }, app));
      outcomes.push([(await outcome(app)).confirmed, ...(await statuses())]);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    const expected = uids.map((uid) => (tried.has(uid) ? "redeemed" : "code_assigned"));
    expect(outcomes[0]?.slice(1, uids.length + 1)).toEqual(expected);
    expect(outcomes[0]?.slice(uids.length + 1)).toContain("redeemed");
  },
  PATIENCE,
);

test(
  "so they do when connections are killed in the middle",
  async () => {
    const history = purchaseHistory({ events: 500, seed: 5, refunds: true });
    const ordered = await inOrder(history, await assignedTo(history));
    const delivered = inAnyOrder(history, 6, await assignedTo(history));
    expect(await killingMeanwhile(delivered)).toBeGreaterThan(10);
    expect(await outcome(await delivered)).toEqual(await outcome(ordered));
  },
  PATIENCE,
);
