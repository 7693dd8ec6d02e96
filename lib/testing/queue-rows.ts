import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import { type Db, database, openDatabase } from "@/lib/platform/db/client";
import { type Queue, runQueue } from "@/lib/platform/jobs/queue";

/** The name of the queue over the test's rows. */
export const ROWS_QUEUE = "test rows";

/** Seconds of its leases. */
export const ROWS_LEASE_S = 6;

const LEASE = sql`make_interval(secs => ${ROWS_LEASE_S})`;

/** Creates the table of the rows. */
export const createRowsTable = (pool: { query(text: string): Promise<unknown> }) =>
  pool.query(
    "create table queue_rows (id int primary key, due_at timestamptz not null default now(), done_at timestamptz)",
  );

/** Creates a table of rows that are due at once, empty before each test of the file. */
export function useQueueRows(): void {
  beforeAll(async () => {
    await createRowsTable(database().pool);
  });
  beforeEach(async () => {
    await database().pool.query("truncate queue_rows");
  });
}

/** Adds the rows 1 to `count`. */
export const insertRows = (count: number) =>
  database().pool.query("insert into queue_rows select generate_series(1, $1)", [count]);

/** The number of rows that are not done. */
export async function openRows(): Promise<number> {
  const { rows } = await database().pool.query(
    "select count(*)::int as n from queue_rows where done_at is null",
  );
  return rows[0].n;
}

/** Takes due rows; a taken row is due again when its lease ends. */
async function take(db: Db, limit: number): Promise<{ id: number }[]> {
  const { rows } = await db.orm.execute<{ id: number }>(sql`
    update queue_rows set due_at = now() + ${LEASE} where id = any(array(
      select id from queue_rows where done_at is null and due_at <= now()
       order by due_at limit ${limit} for update skip locked)) returning id`);
  return rows;
}

const extend = (db: Db, items: { id: number }[]) =>
  db.orm.execute(sql`update queue_rows set due_at = now() + ${LEASE}
    where done_at is null and id = any(${sql.param(items.map(({ id }) => id))}::int[])`);

const finish = (db: Db, id: number) =>
  db.orm.execute(sql`update queue_rows set done_at = now() where id = ${id} and done_at is null`);

/** The queue over the rows, by the connections of a process. */
export function rowsQueue(
  db: Db,
  work: (id: number) => Promise<void>,
  options: Partial<Queue<{ id: number }>> = {},
): Queue<{ id: number }> {
  return {
    name: ROWS_QUEUE,
    due: sql`select id from queue_rows where done_at is null and due_at <= now() order by due_at`,
    take: (limit) => take(db, limit),
    extend: (items) => extend(db, items),
    lease: ROWS_LEASE_S,
    work: async ({ id }) => {
      await work(id);
      await finish(db, id);
    },
    concurrency: 4,
    pollMs: 50,
    ...options,
  };
}

interface Options {
  work?: (id: number) => Promise<void>;
  pollMs?: number;
  sessions?: boolean;
}

/** Starts a runner of the rows, as a separate process would, with its own connections. Returns the ids it worked on. */
export function runRows({
  work = async () => undefined,
  pollMs = 50,
  sessions = true,
}: Options = {}): number[] {
  const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 2, sessions, waitMs: 20_000 });
  const worked: number[] = [];
  const noted = async (id: number) => {
    worked.push(id);
    await work(id);
  };
  const stop = runQueue(rowsQueue(db, noted, { pollMs }));
  onTestFinished(async () => {
    await stop();
    await db.close();
  });
  return worked;
}

/** Waits until every row is done. */
export const allRowsDone = () =>
  vi.waitFor(async () => expect(await openRows()).toBe(0), { timeout: 60_000, interval: 50 });
