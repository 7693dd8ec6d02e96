import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeDue } from "@/lib/confirmations/judge-due";
import { receiveConfirmation } from "@/lib/confirmations/receive";
import { openDatabase } from "@/lib/db/client";
import { isOutage } from "@/lib/db/outage";
import type { ProviderEvent } from "@/lib/providers/adapter";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/confirming-app";
import { type TestDatabase, testDatabase } from "@/lib/testing/database";
import { inParallel } from "@/lib/testing/parallel";
import { type Story, seeded, shuffled, story } from "@/lib/testing/stories";

const CONNECTION = "00000000-0000-7000-8000-000000000001";
const COPIES = 5;
const WIDTH = 16;

/** `INBOX_EVENTS=10000` is the size that the project promises. */
const EVENTS = Number(process.env.INBOX_EVENTS ?? 1_000);

/** A limit for a machine that is busy with other things, not a time that is expected. */
const PATIENCE = 600_000;

let base: TestDatabase;
let db: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  process.env.LOG_LEVEL = "silent";
  base = await testDatabase();
  db = openDatabase({ url: base.url, size: WIDTH });
});

afterAll(async () => {
  await db?.close();
  await base?.drop();
});

/** As a provider does: an answer that is none is asked for again. */
async function deliver(app: ConfirmingApp, event: ProviderEvent): Promise<void> {
  for (;;) {
    try {
      await receiveConfirmation(app.ctx, CONNECTION, event);
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
  }
}

async function inOrder({ events }: Story, app: ConfirmingApp): Promise<ConfirmingApp> {
  for (const event of events) await deliver(app, event);
  return app;
}

async function peopled({ people }: Story): Promise<ConfirmingApp> {
  const app = await confirmingApp(db);
  await app.assign(...people);
  return app;
}

async function inAnyOrder({ events }: Story, seed: number, app: ConfirmingApp): Promise<ConfirmingApp> {
  const all = shuffled(Array.from({ length: COPIES }, () => events).flat(), seeded(seed));
  await inParallel(all.length, WIDTH, (index) => deliver(app, all[index] as ProviderEvent));
  return app;
}

/** Ends what the database does at this moment, again and again, until `work` is done; returns how often. */
async function killingMeanwhile(work: Promise<unknown>): Promise<number> {
  const killer = openDatabase({ url: base.url, size: 1 });
  let [kills, ended] = [0, false];
  const done = work.finally(() => {
    ended = true;
  });
  while (!ended) {
    const { rowCount } = await killer.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active' limit 2`);
    kills += rowCount ?? 0;
  }
  await killer.close();
  await done;
  return kills;
}

/** After the round that sees what two rivals could not see of each other. */
async function outcome(app: ConfirmingApp) {
  await judgeDue(app.ctx);
  const { rows } = await db.orm.execute<{ events: number }>(
    sql`select count(*)::int as events from provider_events where app_id = ${app.ctx.app.id}`,
  );
  const { confirmed } = await app.counts();
  return { states: await app.states(), codes: await app.codes(), confirmed, inbox: rows[0] };
}

test(
  "shuffled copies in parallel leave the referrals, codes and counts of one ordered pass",
  async () => {
    const told = story({ events: EVENTS, seed: 1, refunds: true });
    const [one, other] = [
      await inOrder(told, await peopled(told)),
      await inAnyOrder(told, 2, await peopled(told)),
    ];
    expect(await outcome(other)).toEqual(await outcome(one));
    const states = new Set(Object.values(await one.states()));
    expect(states).toEqual(new Set(["redeemed", "reversed", "code_assigned"]));
    // Which confirmation is the third depends on the order in which they come. None is earned that nobody confirmed.
    const [{ confirmed, rewards }, ever] = [
      await other.counts(),
      (await other.told())["referral.redeemed"] ?? 0,
    ];
    expect(rewards).toBeGreaterThanOrEqual(Math.floor(confirmed / 3));
    expect(rewards).toBeLessThanOrEqual(Math.floor(ever / 3));
  },
  PATIENCE,
);

test(
  "where nothing is refunded the rewards are those of one ordered pass too",
  async () => {
    const told = story({ events: EVENTS / 4, seed: 3, refunds: false });
    const [one, other] = [
      await inOrder(told, await peopled(told)),
      await inAnyOrder(told, 4, await peopled(told)),
    ];
    expect(await outcome(other)).toEqual(await outcome(one));
    expect(await other.counts()).toEqual(await one.counts());
    expect(await other.told()).toEqual(await one.told());
  },
  PATIENCE,
);

test(
  "so they do when connections are killed in the middle",
  async () => {
    const told = story({ events: 300, seed: 5, refunds: true });
    const one = await inOrder(told, await peopled(told));
    const delivered = inAnyOrder(told, 6, await peopled(told));
    expect(await killingMeanwhile(delivered)).toBeGreaterThan(10);
    expect(await outcome(await delivered)).toEqual(await outcome(one));
  },
  PATIENCE,
);
