import { openDatabase } from "@/lib/db/client";
import { runningPostgres } from "@/lib/postgres/url";

/** Where the database of the run is. */
export async function databaseUrl(): Promise<string> {
  const url = await runningPostgres(process.env.E2E_DATA_DIR ?? "");
  if (!url) throw new Error("the database of the run is not there");
  return url;
}

/** Work on the database of the run, for states that no test should have to click together. */
export async function inDatabase<Result>(
  work: (db: ReturnType<typeof openDatabase>) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ url: await databaseUrl(), size: 1 });
  return work(db).finally(() => db.close());
}
