import type pg from "pg";
import { to } from "pg-copy-streams";
import { isIncomplete } from "@/lib/platform/db/incomplete";
import { appliedMigration, migrate, newestMigration } from "@/lib/platform/db/migrate";
import { beginTransfer, connectForTransfer, countUsers } from "@/lib/platform/transfer/connection";
import type { TransferSource } from "@/lib/platform/transfer/fill";
import { copyTarget, digestTable, programTables } from "@/lib/platform/transfer/tables";

interface SnapshotOptions {
  url: string;
  /** Whether a service may write meanwhile; its later rows are not in the snapshot. */
  whileRunning: boolean;
}

/**
 * A database as it is at one moment, brought to this version first. Throws while a service uses it, unless that is
 * wanted. Everything is read in one transaction, which keeps the server from removing old rows until `close`.
 */
export async function openSnapshot({
  url,
  whileRunning,
}: SnapshotOptions): Promise<TransferSource & { close(): Promise<void> }> {
  const client = await connectForTransfer(url, "source");
  try {
    if (!whileRunning && (await countUsers(client)) > 0) throw new Error(IN_USE);
    await bringUpToDate(client, url);
    await beginTransfer(client, "snapshot");
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    tables: programTables(),
    digest: (table) => digestTable(client, table),
    read: (table) => client.query(to(`copy ${copyTarget(table)} to stdout`)),
    close: () => client.end(),
  };
}

/** Leaves a current database alone: installing the functions again would disturb a running service. */
async function bringUpToDate(client: pg.Client, url: string): Promise<void> {
  const applied = await appliedMigration(client);
  if (applied > newestMigration())
    throw new Error("The source is of a newer version of Metacode: use that one");
  if (applied < newestMigration() || (await isIncomplete(client))) await migrate(url);
}

/** The error about a source whose later rows would be lost, with the order that is safe. */
export const IN_USE =
  "A service runs on the source, and the codes that it assigns after the copy would be assigned a second time. Stop " +
  "every instance, run this again, set DATABASE_URL to the target, and start. (For a rehearsal: --while-running.)";
