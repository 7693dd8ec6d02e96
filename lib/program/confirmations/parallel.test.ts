import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "@/lib/platform/db/client";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import type { Confirmation, ProviderEvent } from "@/lib/program/providers/common/adapter";
import { type TestDatabase, testDatabase } from "@/lib/testing/database/test-database";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";

const CONNECTION = "00000000-0000-7000-8000-000000000001";
const PARALLEL = 32;

let base: TestDatabase;
let db: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  process.env.LOG_LEVEL = "silent";
  base = await testDatabase();
  // A connection for each sender, opened ahead, so that all of them are in the database at the same time.
  db = openDatabase({ url: base.url, size: PARALLEL, waitMs: 20_000 });
  await Promise.all(times(PARALLEL, () => db.pool.query("select 1")));
});

afterAll(async () => {
  await db?.close();
  await base?.drop();
});

function event(eventId: string, uid: string, kind: Confirmation["kind"] = "confirm"): ProviderEvent {
  const confirmation = { kind, paid: true, renewal: false, sandbox: false };
  return {
    eventId,
    type: "TEST",
    uids: [uid],
    confirmation,
    payload: {},
    occurredAt: null,
    purchaseId: null,
    links: [],
  };
}

/** Delivers all, 32 at a time, and counts the answers by status. */
async function deliver(app: ConfirmingApp, events: ProviderEvent[]): Promise<Record<string, number>> {
  const queue = [...events];
  const answers: Record<string, number> = {};
  const sender = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { status } = await receiveConfirmation(app.ctx, CONNECTION, next);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, sender));
  return answers;
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

test("20 deliveries of one event at once have one effect", async () => {
  const app = await confirmingApp(db, { threshold: 1 });
  await app.assign("a");
  expect(
    await deliver(
      app,
      times(20, () => event("one", "a")),
    ),
  ).toEqual({ confirmed: 1, duplicate: 19 });
  expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });
  expect(await app.emitted()).toEqual({ "referral.redeemed": 1, "reward.earned": 1 });
});

test("20 deliveries at once of an unmatched event are one row", async () => {
  const app = await confirmingApp(db);
  expect(
    await deliver(
      app,
      times(20, () => event("one", "a")),
    ),
  ).toEqual({ unmatched: 1, duplicate: 19 });
});

test("20 different events of one person at once confirm once", async () => {
  const app = await confirmingApp(db, { threshold: 1 });
  await app.assign("a");
  const answers = await deliver(
    app,
    times(20, (index) => event(`event ${index}`, "a")),
  );
  expect(answers).toEqual({ confirmed: 1, already_confirmed: 19 });
  expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });
});

test("20 refunds of one person at once reverse once", async () => {
  const app = await confirmingApp(db);
  await app.assign("a", "b");
  await deliver(app, [event("purchase a", "a"), event("purchase b", "b")]);
  await deliver(
    app,
    times(20, (index) => event(`refund ${index}`, "a", "reverse")),
  );
  expect(await app.counts()).toMatchObject({ confirmed: 1 });
});

test("300 confirmations, each delivered five times, 32 in parallel, threshold 3: exactly 100 rewards", async () => {
  const app = await confirmingApp(db, { threshold: 3 });
  await app.assign(...times(300, (index) => `referee ${index}`));
  const deliveries = times(1500, (index) => event(`event ${index % 300}`, `referee ${index % 300}`));
  // Copies of an event are adjacent, so that twins meet in the database.
  const answers = await deliver(
    app,
    deliveries.sort((a, b) => (a.eventId < b.eventId ? -1 : 1)),
  );
  expect(answers).toEqual({ confirmed: 300, duplicate: 1200 });
  expect(await app.counts()).toEqual({ confirmed: 300, earned: 100, rewards: 100 });
  expect(await app.emitted()).toEqual({ "referral.redeemed": 300, "reward.earned": 100 });
});
