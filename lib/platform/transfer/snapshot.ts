import type pg from "pg";
import { to } from "pg-copy-streams";
import { isIncomplete } from "@/lib/platform/db/incomplete";
import { appliedMigration, migrate, newestMigration } from "@/lib/platform/db/migrate";
import { assertUnused, beginTransfer, connectForTransfer } from "@/lib/platform/transfer/connection";
import type { TransferSource } from "@/lib/platform/transfer/fill";
import { copyTarget, digestTable, programTables } from "@/lib/platform/transfer/tables";

interface SnapshotOptions {
  url: string;
  /** Whether a service may write meanwhile; its later rows are not in the snapshot. */
  whileRunning: boolean;
}

interface Snapshot extends TransferSource {
  /** The time of the snapshot by the server's clock, which the times of the rows follow. */
  takenAt: string;
  close(): Promise<void>;
}

/**
 * A consistent snapshot of a database, brought to this version first. Throws while a service uses it, unless that is
 * wanted. One transaction reads everything and keeps the server from removing old rows until `close`.
 */
export async function openSnapshot({ url, whileRunning }: SnapshotOptions): Promise<Snapshot> {
  const client = await connectForTransfer(url, "source");
  let before: string;
  let takenAt: string;
  try {
    if (!whileRunning) await assertUnused(client, IN_USE);
    await migrateToCurrent(client, url);
    before = await countWrites(client);
    await beginTransfer(client, "snapshot");
    takenAt = await readClock(client);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    takenAt,
    tables: programTables(),
    digest: (table) => digestTable(client, table),
    read: (table) => client.query(to(`copy ${copyTarget(table)} to stdout`)),
    assertCurrent: async () => {
      if (whileRunning) return;
      await assertUnused(client, IN_USE);
      if ((await countWrites(client)) !== before) throw new Error(CHANGED);
    },
    close: () => client.end(),
  };
}

/** A millisecond later, because the text has no microseconds: no row of the snapshot is younger. */
async function readClock(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() + interval '1 ms' as now");
  return rows[0]?.now.toISOString() ?? "";
}

/** Rows ever written, by the server's statistics, of which the open transaction would see an old snapshot. */
async function countWrites(client: pg.Client): Promise<string> {
  await client.query("select pg_stat_clear_snapshot()");
  const { rows } = await client.query<{ writes: string }>(
    `select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text as writes
       from pg_stat_user_tables where schemaname = current_schema()`,
  );
  return rows[0]?.writes ?? "";
}

/** Leaves a current database alone: installing the functions again would disturb a running service. */
async function migrateToCurrent(client: pg.Client, url: string): Promise<void> {
  const applied = await appliedMigration(client);
  if (applied === 0 || !(await hasOurTables(client))) throw new Error("The source has no Metacode database");
  if (applied > newestMigration())
    throw new Error("The source was written by a newer version of Metacode: use that version");
  if (applied < newestMigration() || (await isIncomplete(client))) await migrate(url);
}

/** The record of migrations may belong to another program that uses the same library. */
async function hasOurTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('referrers') is not null and to_regclass('workspaces') is not null as found",
  );
  return rows[0]?.found === true;
}

const CHANGED =
  "The source was written to during the copy, which lacks those rows. Stop every instance and run the same command again: " +
  "it corrects the tables that differ. Until then no service starts on the target.";

/** The error about a source whose later rows would be lost, with the order that is safe. */
export const IN_USE =
  "A service runs on the source, and the codes that it assigns after the copy would be assigned a second time. Stop " +
  "every instance, run this again, set DATABASE_URL to the target, and start. (For a rehearsal: --while-running.)";
