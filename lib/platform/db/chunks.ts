import { setTimeout as pause } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { singleton } from "@/lib/platform/singleton";

/** Maximum rows that one statement deletes, so that its locks last milliseconds whatever has piled up. */
export const CHUNK = 1_000;

/** The time of the database, so that a machine with a wrong clock deletes nothing early. */
export async function databaseTime(db: Db): Promise<Date> {
  const time = sql`select extract(epoch from now())::float8 * 1000 as ms`;
  const { rows } = await db.orm.execute<{ ms: number }>(time);
  return new Date(rows[0]?.ms ?? 0);
}

/** The clocks of database and machine as last read, in ms ahead of the monotonic one, which a suspension stops. */
export const databaseClock = () =>
  singleton("db.clock", () => ({ base: 0, machine: Number.NEGATIVE_INFINITY }));

/** The database's time, for signatures and files; before it is first read, and after a suspension, the machine's. */
export function databaseNow(): number {
  const [{ base, machine }, own] = [databaseClock(), Date.now() - performance.now()];
  return Math.round(performance.now() + (own - machine < 60_000 ? base : own));
}

/** Seconds by which this machine's clock is ahead of the database's, negative if behind; undefined below a minute. */
export function secondsAhead(): number | undefined {
  const seconds = Math.round((Date.now() - databaseNow()) / 1_000);
  return Math.abs(seconds) < 60 ? undefined : seconds;
}

/**
 * Waits, at most `seconds`, until every transaction that began within the `seconds` before now has ended and stores
 * nothing more; with `running`, only for statements with that text. Older ones, such as a backup, are of no concern.
 * Transaction ids would not do: a transaction has none until it writes.
 */
export async function awaitEarlier({ orm }: Db, seconds: number, running = ""): Promise<void> {
  const { rows } = await orm.execute<{ now: string }>(sql`select clock_timestamp()::text as now`);
  const now = sql`${rows[0]?.now}::timestamptz`;
  const earlier = sql`select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
    and xact_start between ${now} - make_interval(secs => ${seconds}) and ${now} and pid <> pg_backend_pid()
    and strpos(query, ${running}) > 0 and (state = 'active' or ${running} = '') limit 1`;
  const end = performance.now() + 1_000 * seconds;
  while ((await orm.execute(earlier)).rowCount && performance.now() < end) await pause(10);
}

/** Runs a delete; returns the number of deleted rows. */
export async function deleteRows(db: Db, statement: SQL): Promise<number> {
  return (await db.orm.execute(statement)).rowCount ?? 0;
}

/** Repeats a bounded delete until it finds less than a full chunk; returns the number of deleted rows. */
export async function inChunks(remove: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await remove();
    total += removed;
    if (removed < CHUNK) return total;
  }
}
