import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { CHUNK, deleteRows, inChunks } from "@/lib/maintenance/chunks";

/** A day's salt is in use for 24 hours and can be in a process's memory a little longer. */
function deleteSalts(now: Date): SQL {
  return sql`delete from visitor_salts
    where day < (${now}::timestamptz at time zone 'UTC' - interval '48 hours')::date`;
}

function deleteQuotaUsage(now: Date): SQL {
  const before = sql`date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date - interval '24 months'`;
  return sql`delete from quota_usage where month < ${before} and workspace_id = any(array(
    select distinct workspace_id from quota_usage where month < ${before} limit ${CHUNK}))`;
}

/** Deletes what belongs to no app and is kept no longer; returns how many rows went. */
export async function sweepGlobal(db: Db, now: Date): Promise<number> {
  const salts = await deleteRows(db, deleteSalts(now));
  return salts + (await inChunks(() => deleteRows(db, deleteQuotaUsage(now))));
}
