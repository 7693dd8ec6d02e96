import { resolve } from "node:path";
import { addressLabel, assertEmbedded } from "@/lib/cli/transfer-database";
import { openDatabase } from "@/lib/platform/db/client";
import { migrate } from "@/lib/platform/db/migrate";
import { reasonOf } from "@/lib/platform/describe-error";
import { runningPostgres } from "@/lib/platform/embedded-postgres/address";
import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { parseEnv } from "@/lib/platform/env";

interface RunningDatabase {
  url: string;
  stop(): Promise<void>;
}

/**
 * The database of a command, named on standard error: `DATABASE_URL`, else the embedded server that runs on `DATA_DIR`,
 * else one started for this command. Only a command that fills databases may create one; any other, run without the
 * service's settings, would report on a new, empty database.
 */
export async function commandDatabase(create = false): Promise<RunningDatabase> {
  const { DATABASE_URL, DATA_DIR } = parseEnv(process.env);
  const running = DATABASE_URL ?? (await runningPostgres(DATA_DIR));
  if (!running && !create) await assertEmbedded(DATA_DIR);
  const label = DATABASE_URL ? addressLabel(DATABASE_URL) : `embedded, in ${resolve(DATA_DIR)} (DATA_DIR)`;
  // Named, because without the service's settings a leftover folder would be used unnoticed.
  process.stderr.write(`Database: ${label}\n`);
  if (running) return { url: running, stop: async () => undefined };
  return startPostgres({ dataDir: DATA_DIR });
}

/** Runs a command's work on the migrated database and leaves nothing running. */
export async function withDatabase(
  work: (db: ReturnType<typeof openDatabase>) => Promise<void>,
  create = false,
): Promise<void> {
  const running = await commandDatabase(create);
  try {
    await migrate(running.url, { isCommand: true });
    const { DATABASE_POOLER } = parseEnv(process.env);
    const db = openDatabase({ url: running.url, size: 4, sessions: DATABASE_POOLER === "none" });
    await work(db).finally(() => db.close());
  } finally {
    await running.stop();
  }
}

/** Ends a command with one line on standard error. Joins the lines of Node's message about an argument, which may have three. */
export function stopWith(error: unknown): void {
  const message = reasonOf(error);
  const isNodes = /^ERR_PARSE_ARGS/.test(String(Object(error).code));
  process.stderr.write(`${isNodes ? message.replaceAll("\n", " ") : message}\n`);
  process.exitCode = 1;
}
