import { database } from "@/lib/platform/db/client";

/** Waits until at least `count` processes of this database's server wait for a lock, and returns their ids. */
export async function blockedBackends(count = 1): Promise<number[]> {
  const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (let tries = 0; tries < 2_000; tries++) {
    const { rows } = await database().orm.execute<{ pid: number }>(waits);
    if (rows.length >= count) return rows.map(({ pid }) => pid);
  }
  throw new Error("nothing waits");
}
