import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { readCounter } from "@/lib/platform/counters";
import { type Db, database } from "@/lib/platform/db/client";
import { type Queue, runQueue, runQueues, wakeQueue } from "@/lib/platform/jobs/queue";
import { LONGEST_S } from "@/lib/platform/jobs/until-stored";
import { ungrantedLocks } from "@/lib/testing/database/locks";
import { cutConnections, isAway, takeDatabaseAway } from "@/lib/testing/database/outage";
import {
  allRowsDone,
  insertRows,
  openRows,
  ROWS_QUEUE,
  rowsQueue,
  runRows,
  useQueueRows,
} from "@/lib/testing/queue-rows";
import { useService } from "@/lib/testing/service";

useService();
useQueueRows();

test("several runners share the rows, and each row is worked on once", async () => {
  await insertRows(200);
  const worked = [runRows(), runRows(), runRows({ sessions: false })];
  await allRowsDone();
  const all = worked.flat();
  expect(all).toHaveLength(200);
  expect(new Set(all).size).toBe(200);
});

test("a wake-up is answered at once, however rarely the queue is polled", async () => {
  const worked = runRows({ pollMs: 3_600_000 });
  await vi.waitFor(() => wakeQueue(ROWS_QUEUE), { timeout: 60_000 });
  await insertRows(3);
  wakeQueue(ROWS_QUEUE);
  await vi.waitFor(() => expect(worked).toHaveLength(3), { timeout: 60_000 });
});

test("one statement looks for the due rows of several queues, whose own polls are rare", async () => {
  const db = database();
  const worked: number[] = [];
  const work = async (id: number) => {
    worked.push(id);
  };
  const polls = { rare: 0, empty: 0 };
  const counted = (name: keyof typeof polls, queue: Queue<{ id: number }>): Queue<{ id: number }> => ({
    ...queue,
    pollMs: 3_600_000,
    take: async (limit) => {
      const taken = await queue.take(limit);
      polls[name] += 1;
      return taken;
    },
  });
  const rare = counted("rare", rowsQueue(db, work));
  const nothing = { name: "empty", due: sql`select from queue_rows where false` };
  const empty = counted("empty", { ...rowsQueue(db, work), ...nothing });
  onTestFinished(runQueues(db, [rare, empty]));
  await vi.waitFor(() => expect(polls).toEqual({ rare: 1, empty: 1 }), { timeout: 60_000 });
  await insertRows(3);
  await allRowsDone();
  expect(worked).toHaveLength(3);
  expect(polls.empty).toBe(1);
});

test("a row whose work fails is taken again when its lease ends, and the others do not wait for it", async () => {
  await insertRows(10);
  let failures = 0;
  const worked = runRows({
    work: async (id) => {
      if (id === 5 && failures++ === 0) throw new Error("the first attempt fails");
    },
  });
  await allRowsDone();
  expect(worked.filter((id) => id === 5)).toHaveLength(2);
  expect(worked).toHaveLength(11);
});

test("one statement leases no more rows than may be leased at once, and the next follows without a pause", async () => {
  await insertRows(12);
  const db = database();
  const limits: number[] = [];
  const { take } = rowsQueue(db, async () => undefined);
  const counted = (limit: number) => {
    limits.push(limit);
    return take(limit);
  };
  // A poll an hour later would come too late for the test.
  const options = { take: counted, concurrency: 12, atOnce: 3, pollMs: 3_600_000 };
  const stop = runQueue(rowsQueue(db, async () => undefined, options));
  onTestFinished(stop);
  await allRowsDone();
  expect(Math.max(...limits)).toBe(3);
});

test("never works on more rows than its concurrency, and a slow row does not delay others", async () => {
  await insertRows(12);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let underWay = 0;
  let most = 0;
  runRows({
    work: async (id) => {
      most = Math.max(most, ++underWay);
      if (id === 1) await held;
      underWay--;
    },
  });
  await vi.waitFor(async () => expect(await openRows()).toBe(1), { timeout: 60_000 });
  release();
  await allRowsDone();
  expect(most).toBeLessThanOrEqual(4);
});

test.each([
  ["with sessions", true],
  ["behind a transaction-mode pooler", false],
])("%s, work resumes after a database that was away, at the first query or later", async (_, sessions) => {
  await insertRows(4);
  const giveBack = await takeDatabaseAway();
  const worked = runRows({ sessions });
  for (let times = 0; times < 20; times++) expect(await isAway()).toBe(true);
  expect(worked).toEqual([]);
  await giveBack();
  await allRowsDone();
  const again = await takeDatabaseAway();
  for (let times = 0; times < 20; times++) expect(await isAway()).toBe(true);
  await again();
  await database().pool.query("insert into queue_rows values (100)");
  await allRowsDone();
  expect(new Set(worked).size).toBe(5);
});

test("after a minute without a database, work resumes within 10 s, as does what another process commits", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let away = true;
  const rows: number[] = [];
  const worked: number[] = [];
  const answer = <T>(value: () => T) => (away ? Promise.reject(new Error("away")) : Promise.resolve(value()));
  const queue: Queue<number> = {
    ...{ name: "virtual", due: sql`select`, lease: 8, concurrency: 4 },
    take: () => answer(() => rows.splice(0)),
    extend: async () => undefined,
    work: async (row) => void worked.push(row),
  };
  const call = () => answer(() => (rows.length > 0 ? [{ name: "virtual" }] : []));
  onTestFinished(runQueues({ call } as unknown as Db, [queue]));
  rows.push(1);
  await vi.advanceTimersByTimeAsync(65_000);
  expect(worked).toEqual([]);
  away = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(worked).toEqual([1]);
  rows.push(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(worked).toEqual([1, 2]);
});

test("work resumes after a table that was locked for longer than a query may take", async () => {
  const client = await database().pool.connect();
  await client.query("begin");
  await client.query("lock table queue_rows in access exclusive mode");
  const worked = runRows();
  await vi.waitFor(async () => expect(await ungrantedLocks("queue_rows")).toBeGreaterThan(0), {
    timeout: 60_000,
  });
  // Longer than the connection's lock timeout, so that at least one poll has failed.
  await vi.waitFor(async () => expect(await ungrantedLocks("queue_rows")).toBe(0), {
    timeout: 60_000,
    interval: 20,
  });
  await client.query("commit");
  client.release();
  await insertRows(3);
  await allRowsDone();
  expect(worked).toHaveLength(3);
});

test("connections that break repeatedly during work lose no row", async () => {
  await insertRows(40);
  const worked = runRows({
    work: async (id) => {
      if (id % 10 === 0) await cutConnections().catch(() => undefined);
    },
  });
  await vi.waitFor(async () => expect(await openRows().catch(() => -1)).toBe(0), {
    timeout: 60_000,
    interval: 200,
  });
  expect(new Set(worked).size).toBe(40);
});

test("a stopped runner finishes its rows and takes no more", async () => {
  const db = database();
  let begun: () => void = () => undefined;
  let release: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await insertRows(1);
  const work = async () => {
    begun();
    await held;
  };
  const stop = runQueue(rowsQueue(db, work, { concurrency: 1, pollMs: 20 }));
  await started;
  const stopped = stop();
  await db.pool.query("insert into queue_rows values (2)");
  wakeQueue(ROWS_QUEUE);
  release();
  await stopped;
  expect(await openRows()).toBe(1);
});

test("work that never ends loses its lease and its place after half an hour, and is counted", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let due = [1];
  const worked: number[] = [];
  const extend = vi.fn(async () => undefined);
  const queue: Queue<number> = {
    ...{ name: "virtual", due: sql`select`, lease: 8, concurrency: 1, pollMs: 1_000, extend },
    take: async () => due.splice(0),
    work: (row) => (worked.push(row) === 1 ? new Promise(() => undefined) : Promise.resolve()),
  };
  const stop = runQueue(queue);
  onTestFinished(() => void stop());
  await vi.advanceTimersByTimeAsync(1_000 * LONGEST_S);
  due = [1, 2];
  expect(worked).toEqual([1]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(worked).toEqual([1, 1, 2]);
  expect(readCounter("work_given_up").get("")).toBe(1);
  extend.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(extend).not.toHaveBeenCalled();
});
