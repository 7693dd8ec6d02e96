import { openDatabase } from "@/lib/db/client";
import { migrate } from "@/lib/db/migrate";
import { parseEnv } from "@/lib/env";
import { startPostgres } from "@/lib/postgres/start";
import { runningPostgres } from "@/lib/postgres/url";

interface Found {
  url: string;
  stop(): Promise<void>;
}

/** `DATABASE_URL`; else the embedded server that runs on `DATA_DIR`; else one started for this command. */
async function findDatabase(): Promise<Found> {
  const { DATABASE_URL, DATA_DIR } = parseEnv(process.env);
  const running = DATABASE_URL ?? (await runningPostgres(DATA_DIR));
  if (running) return { url: running, stop: async () => undefined };
  return startPostgres({ dataDir: DATA_DIR });
}

/** Runs a command's work on the database in use, brought up to date first, and leaves nothing running. */
export async function withDatabase(
  work: (db: ReturnType<typeof openDatabase>) => Promise<void>,
): Promise<void> {
  const found = await findDatabase();
  try {
    await migrate(found.url);
    const { DATABASE_POOLER } = parseEnv(process.env);
    const db = openDatabase({ url: found.url, size: 4, sessions: DATABASE_POOLER === "none" });
    await work(db).finally(() => db.close());
  } finally {
    await found.stop();
  }
}

/** Ends a command with one line on standard error. */
export function stopWith(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
