import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Db, database, openDatabase } from "@/lib/platform/db/client";
import { type Queue, runQueue, wakeQueue } from "@/lib/platform/jobs/queue";
import { cutConnections, isAway, takeDatabaseAway } from "@/lib/testing/database/outage";
import { useService } from "@/lib/testing/service";

useService();

const NAME = "test rows";
const LEASE = "2 seconds";

beforeAll(async () => {
  await database().pool.query(
    "create table queue_rows (id int primary key, due_at timestamptz not null default now(), done_at timestamptz)",
  );
});
beforeEach(async () => {
  await database().pool.query("truncate queue_rows");
});
afterEach(() => vi.restoreAllMocks());

const insert = (count: number) =>
  database().pool.query("insert into queue_rows select generate_series(1, $1)", [count]);

const open = async () => {
  const { rows } = await database().pool.query(
    "select count(*)::int as n from queue_rows where done_at is null",
  );
  return rows[0].n as number;
};

/** Takes due rows of the test's table; a taken row is due again when its lease ends. */
async function take(db: Db, limit: number): Promise<{ id: number }[]> {
  const { rows } = await db.orm.execute<{ id: number }>(sql`
    update queue_rows set due_at = now() + ${LEASE}::interval where id = any(array(
      select id from queue_rows where done_at is null and due_at <= now()
       order by due_at limit ${limit} for update skip locked)) returning id`);
  return rows;
}

const finish = (db: Db, id: number) =>
  db.orm.execute(sql`update queue_rows set done_at = now() where id = ${id} and done_at is null`);

interface Options {
  work?: (id: number) => Promise<void>;
  pollMs?: number;
  sessions?: boolean;
}

/** Starts a process's runner of the test's table, with connections of its own. Returns the ids it worked on. */
function run({ work = async () => undefined, pollMs = 50, sessions = true }: Options = {}): number[] {
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 2, sessions });
  const worked: number[] = [];
  const queue: Queue<{ id: number }> = {
    name: NAME,
    take: (limit) => take(db, limit),
    work: async ({ id }) => {
      worked.push(id);
      await work(id);
      await finish(db, id);
    },
    concurrency: 4,
    pollMs,
  };
  const stop = runQueue(queue);
  onTestFinished(async () => {
    await stop();
    await db.close();
  });
  return worked;
}

const everythingDone = () =>
  vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 15_000, interval: 50 });

test("several runners share the rows, and each row is worked on once", async () => {
  await insert(200);
  const worked = [run(), run(), run({ sessions: false })];
  await everythingDone();
  const all = worked.flat();
  expect(all).toHaveLength(200);
  expect(new Set(all).size).toBe(200);
});

test("a wake-up is answered at once, however rarely the queue is polled", async () => {
  const worked = run({ pollMs: 3_600_000 });
  await vi.waitFor(() => wakeQueue(NAME));
  await insert(3);
  wakeQueue(NAME);
  await vi.waitFor(() => expect(worked).toHaveLength(3), { timeout: 5_000 });
});

test("a row whose work fails comes again when its lease ends, and the others do not wait for it", async () => {
  await insert(10);
  let failures = 0;
  const worked = run({
    work: async (id) => {
      if (id === 5 && failures++ === 0) throw new Error("the first attempt fails");
    },
  });
  await everythingDone();
  expect(worked.filter((id) => id === 5)).toHaveLength(2);
  expect(worked).toHaveLength(11);
});

test("never more rows than its concurrency are under way, and a slow one holds up no other", async () => {
  await insert(12);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let underWay = 0;
  let most = 0;
  run({
    work: async (id) => {
      most = Math.max(most, ++underWay);
      if (id === 1) await held;
      underWay--;
    },
  });
  await vi.waitFor(async () => expect(await open()).toBe(1), { timeout: 10_000 });
  release();
  await everythingDone();
  expect(most).toBeLessThanOrEqual(4);
});

test.each([
  ["with sessions", true],
  ["behind a transaction-mode pooler", false],
])("%s, work resumes after a database that was away, at the first query or later", async (_, sessions) => {
  await insert(4);
  const giveBack = await takeDatabaseAway();
  const worked = run({ sessions });
  for (let times = 0; times < 20; times++) expect(await isAway()).toBe(true);
  expect(worked).toEqual([]);
  await giveBack();
  await everythingDone();
  const again = await takeDatabaseAway();
  for (let times = 0; times < 20; times++) expect(await isAway()).toBe(true);
  await again();
  await database().pool.query("insert into queue_rows values (100)");
  await everythingDone();
  expect(new Set(worked).size).toBe(5);
});

test("work resumes after a table that was locked for longer than a query may take", async () => {
  const client = await database().pool.connect();
  await client.query("begin");
  await client.query("lock table queue_rows in access exclusive mode");
  const worked = run();
  await vi.waitFor(
    async () => {
      const { rows } = await client.query("select count(*)::int as n from pg_locks where not granted");
      expect(rows[0].n).toBeGreaterThan(0);
    },
    { timeout: 10_000 },
  );
  // Longer than the lock timeout of the connection, so that at least one look has failed.
  await vi.waitFor(
    async () => {
      const { rows } = await client.query("select count(*)::int as n from pg_locks where not granted");
      expect(rows[0].n).toBe(0);
    },
    { timeout: 15_000, interval: 20 },
  );
  await client.query("commit");
  client.release();
  await insert(3);
  await everythingDone();
  expect(worked).toHaveLength(3);
}, 40_000);

test("connections that break again and again while rows are worked on cost none", async () => {
  await insert(40);
  const worked = run({
    work: async (id) => {
      if (id % 10 === 0) await cutConnections().catch(() => undefined);
    },
  });
  await vi.waitFor(async () => expect(await open().catch(() => -1)).toBe(0), {
    timeout: 40_000,
    interval: 200,
  });
  expect(new Set(worked).size).toBe(40);
}, 60_000);

test("a stopped runner finishes what it has begun and takes nothing more", async () => {
  const db = database();
  let begun: () => void = () => undefined;
  let release: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await insert(1);
  const stop = runQueue<{ id: number }>({
    name: NAME,
    take: (limit) => take(db, limit),
    work: async ({ id }) => {
      begun();
      await held;
      await finish(db, id);
    },
    concurrency: 1,
    pollMs: 20,
  });
  await started;
  const stopped = stop();
  await db.pool.query("insert into queue_rows values (2)");
  wakeQueue(NAME);
  release();
  await stopped;
  expect(await open()).toBe(1);
});
