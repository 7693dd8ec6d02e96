import { createUser } from "@/lib/accounts/create-user";
import { inDatabase } from "./database";

let last = 0;

/** An account in no workspace, straight into the database: the form for it is tested with accounts. */
export async function makeAccount(name: string): Promise<{ email: string; password: string }> {
  const account = {
    email: `account-${process.pid}-${Date.now()}-${++last}@example.com`,
    password: "correct horse",
  };
  await inDatabase((db) => createUser(db, { ...account, name }));
  return account;
}
