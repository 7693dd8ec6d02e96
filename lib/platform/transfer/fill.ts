import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { formatNumber } from "@/lib/contract/format";
import { isIncomplete, markComplete, markIncomplete } from "@/lib/platform/db/incomplete";
import { migrateTarget } from "@/lib/platform/db/migrate";
import { assertUnused, beginTransfer, connectForTransfer } from "@/lib/platform/transfer/connection";
import {
  copyTarget,
  type Digest,
  digestTable,
  emptyTable,
  filledTables,
  sameDigest,
  type TransferTable,
} from "@/lib/platform/transfer/tables";

/** A source of rows: another database, or a backup. */
export interface TransferSource {
  tables: TransferTable[];
  digest(table: TransferTable): Promise<Digest>;
  /** The table's rows as COPY's text. */
  read(table: TransferTable): Promise<Readable> | Readable;
  /** Throws when the source has changed since it was opened; a source without this cannot. */
  assertCurrent?(): Promise<void>;
}

/** Milliseconds between two lines about one table. */
const REPORT_MS = 5_000;

/**
 * Fills an empty database with every row of a source. Tables that are equal already are left alone, so an interrupted
 * fill goes on when it is repeated, and one from a source that has changed since is corrected. A table is copied and
 * compared in one transaction: a difference stores nothing. No service starts on the database before the end.
 */
export async function fillDatabase(
  source: TransferSource,
  url: string,
  say: (line: string) => void,
): Promise<{ tables: number; rows: number }> {
  const target = await connectForTransfer(url, "target");
  try {
    await migrateTarget(url, assertFillable);
    let rows = 0;
    for (const table of source.tables) rows += await fillTable(source, target, table, say);
    await source.assertCurrent?.();
    await markComplete(target);
    // The first plans would otherwise be made for empty tables.
    await beginTransfer(target, "write");
    await target.query("analyze");
    await target.query("commit");
    return { tables: source.tables.length, rows };
  } finally {
    await target.end().catch(() => undefined);
  }
}

/** Refuses a database in use or with rows of its own; leaves the mark of one that is being filled. */
async function assertFillable(client: pg.Client): Promise<void> {
  await assertUnused(client, "A service runs on the target: stop it first.");
  if (await isIncomplete(client)) return;
  const filled = await filledTables(client);
  if (filled.length > 0) {
    throw new Error(
      `The target has rows of its own, which would be lost (${filled.join(", ")}): use an empty database`,
    );
  }
  await markIncomplete(client);
}

async function fillTable(
  source: TransferSource,
  target: pg.Client,
  table: TransferTable,
  say: (line: string) => void,
): Promise<number> {
  const wanted = await source.digest(table);
  const count = `${table.name}: ${formatNumber(wanted.rows)} rows`;
  await beginTransfer(target, "write");
  try {
    const filled = sameDigest(wanted, await digestTable(target, table));
    if (!filled) {
      await emptyTable(target, table);
      const report = (rows: number) =>
        say(`${table.name}: ${formatNumber(rows)} of ${formatNumber(wanted.rows)} rows`);
      const sink = target.query(from(`copy ${copyTarget(table)} from stdin`));
      await pipeline(await source.read(table), rowCounter(report), sink);
      const found = await digestTable(target, table);
      if (!sameDigest(wanted, found))
        throw new Error(`${count} were read and ${found.rows} other ones stored`);
    }
    await target.query("commit");
    if (!filled) say(`${count}, copied and compared`);
    else if (wanted.rows > 0) say(`${count}, there already`);
  } catch (error) {
    await target.query("rollback").catch(() => undefined);
    throw error;
  }
  return wanted.rows;
}

const NEWLINE = 10;

/** Passes COPY's text on and reports its rows now and then. The format escapes a newline inside a value. */
function rowCounter(report: (rows: number) => void): Transform {
  let rows = 0;
  let reported = Date.now();
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
      if (Date.now() - reported > REPORT_MS) {
        reported = Date.now();
        report(rows);
      }
      done(null, chunk);
    },
  });
}
