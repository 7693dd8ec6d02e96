import { database } from "@/lib/platform/db/client";

const WAITING = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** On a cluster an app's statement waits on the app's server; the result has the coordinator's process. */
const WAITING_IN_CLUSTER = `select distinct waiting_gpid % 10000000000 as pid from citus_lock_waits`;

/**
 * Counts the locks of a table for which statements wait. Filtered by database, because the view shows the whole server,
 * where the table has the same id in every copy of the template.
 */
export async function ungrantedLocks(table: string): Promise<number> {
  const { rows } = await database().pool.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and not granted and relation = $1::regclass`,
    [table],
  );
  return rows[0]?.waiting ?? 0;
}

/** Waits until at least `count` processes of this database's server wait for a lock, and returns their ids. */
export async function blockedBackends(count = 1): Promise<number[]> {
  const patience = AbortSignal.timeout(30_000);
  // A test that stops its server uses a separate one, which is never a cluster.
  const view = await database().pool.query("select to_regclass('citus_lock_waits') as name");
  while (!patience.aborted) {
    const { rows } = await database().orm.execute<{ pid: number }>(
      view.rows[0]?.name ? WAITING_IN_CLUSTER : WAITING,
    );
    if (rows.length >= count) return rows.map(({ pid }) => Number(pid));
  }
  throw new Error("nothing waits");
}
