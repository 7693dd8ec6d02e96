import { openDatabase } from "@/lib/platform/db/client";
import { runningPostgres } from "@/lib/platform/embedded-postgres/address";

/** The connection string of the database of the run. */
export async function e2eDatabaseUrl(): Promise<string> {
  const url = await runningPostgres(process.env.E2E_DATA_DIR ?? "");
  if (!url) throw new Error("the database of the run does not run");
  return url;
}

/** Works on the database of the run, for states that would take too many clicks. */
export async function inDatabase<Result>(
  work: (db: ReturnType<typeof openDatabase>) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ url: await e2eDatabaseUrl(), size: 1, waitMs: 20_000 });
  return work(db).finally(() => db.close());
}
