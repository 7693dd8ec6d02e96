import { is, type SQL, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "@/lib/db/client";
import * as schema from "@/lib/db/schema";
import { CHUNK, deleteRows, inChunks } from "./chunks";

/** They carry an app's id but are the workspace's, or are found by something else. */
const NOT_AN_APPS = ["audit_log", "slug_directory", "referrers"];

/** Every table with rows of an app, but for its referrers, which go last because their metacodes hang on them. */
function appTables(): string[] {
  return Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map((table) => getTableConfig(table))
    .filter(
      ({ name, columns }) => !NOT_AN_APPS.includes(name) && columns.some((one) => one.name === "app_id"),
    )
    .map(({ name }) => name);
}

// By place: no other key is common to all tables. The filter by app comes first, so it is one partition's place.
const some = (table: string, appId: string): SQL => sql`delete from ${sql.identifier(table)}
  where app_id = ${appId} and ctid = any(array(
    select ctid from ${sql.identifier(table)} where app_id = ${appId} limit ${CHUNK}))`;

const someSlugs = (appId: string): SQL => sql`delete from slug_directory where slug = any(array(
  select d.slug from referrers r join slug_directory d on d.slug = r.slug and d.app_id = r.app_id
   where r.app_id = ${appId} limit ${CHUNK}))`;

/** Deletes an app's rows but those of `keep`, a bounded number at a time; returns how many went. Can be run again. */
export async function deleteAppRows(db: Db, appId: string, keep: readonly string[] = []): Promise<number> {
  let gone = 0;
  for (const table of appTables()) {
    if (!keep.includes(table)) gone += await inChunks(() => deleteRows(db, some(table, appId)));
  }
  gone += await inChunks(() => deleteRows(db, someSlugs(appId)));
  return gone + (await inChunks(() => deleteRows(db, some("referrers", appId))));
}
