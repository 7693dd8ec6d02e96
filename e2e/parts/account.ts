import { createUser } from "@/lib/accounts/create-user";
import { openDatabase } from "@/lib/db/client";
import { runningPostgres } from "@/lib/postgres/url";

let last = 0;

/** An account in no workspace, straight into the database: the form for it is tested with accounts. */
export async function makeAccount(name: string): Promise<{ email: string; password: string }> {
  const url = await runningPostgres(process.env.E2E_DATA_DIR ?? "");
  if (!url) throw new Error("the database of the run is not there");
  const db = openDatabase({ url, size: 1 });
  const account = {
    email: `account-${process.pid}-${Date.now()}-${++last}@example.com`,
    password: "correct horse",
  };
  await createUser(db, { ...account, name });
  await db.close();
  return account;
}
