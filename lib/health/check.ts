import { sql } from "drizzle-orm";
import { type Db, database } from "@/lib/db/client";

/** Ready to serve: the database answers. Throws what the driver throws, which the frame turns into 503. */
export async function checkHealth(db: Db = database()): Promise<{ status: "ok" }> {
  await db.orm.execute(sql`select 1`);
  return { status: "ok" };
}
