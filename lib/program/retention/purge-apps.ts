import { and, eq, is, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { DAY_MS, HOUR_MS } from "@/lib/contract/format";
import { CHUNK, deleteRows, inChunks } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import * as schema from "@/lib/platform/db/schema";
import { walkRows } from "@/lib/platform/db/walk";
import { sumOfAll } from "@/lib/platform/jobs/until-stored";
import { PERSONAL } from "@/lib/program/end-users/scrub";
import { GRACE_DAYS } from "@/lib/tenants/apps/delete";

const { apps } = schema;

/** Tables with an `app_id` whose rows belong to the workspace or are deleted elsewhere. */
const OTHER_TABLES = ["audit_log", "slug_directory", "referrers"];

/** Every table with rows of an app. Referrers are deleted last, because their metacodes are found through them. */
function appTables(): string[] {
  return Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map((table) => getTableConfig(table))
    .filter(
      ({ name, columns }) =>
        !OTHER_TABLES.includes(name) && columns.some((column) => column.name === "app_id"),
    )
    .map(({ name }) => name);
}

// Rows are chosen by `ctid`: no other key is common to all tables. The filter by app keeps that within one partition.
const deleteChunk = (table: string, appId: string): SQL => sql`delete from ${sql.identifier(table)}
  where app_id = ${appId} and ctid = any(array(
    select ctid from ${sql.identifier(table)} where app_id = ${appId} limit ${CHUNK}))`;

const deleteSlugChunk = (appId: string): SQL => sql`delete from slug_directory where slug = any(array(
  select d.slug from referrers r join slug_directory d on d.slug = r.slug and d.app_id = r.app_id
   where r.app_id = ${appId} limit ${CHUNK}))`;

/** Passes over a table to which a busy app adds rows all the time. */
const PASSES = 20;

/**
 * Deletes an app's rows of a table, in chunks. A row that a sender parks meanwhile has another `ctid` and is missing from
 * its chunk, which is then no sign of the end. `whole` throws if rows are left: no later run would find those of a purged app.
 */
async function deleteRowsOf(db: Db, table: string, appId: string, whole: boolean): Promise<number> {
  const any = sql`select 1 from ${sql.identifier(table)} where app_id = ${appId} limit 1`;
  let deleted = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    deleted += await inChunks(() => deleteRows(db, deleteChunk(table, appId)));
    if (!(await db.orm.execute(any)).rowCount) return deleted;
  }
  if (whole) throw new Error(`Rows of a deleted app are still added to ${table}`);
  return deleted;
}

/** Deletes an app's rows except those of the `keep` tables, in chunks; returns how many. May be repeated after a crash. */
export async function deleteAppRows(db: Db, appId: string, keep?: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const table of appTables()) {
    if (!keep?.includes(table)) deleted += await deleteRowsOf(db, table, appId, !keep);
  }
  deleted += await inChunks(() => deleteRows(db, deleteSlugChunk(appId)));
  return deleted + (await deleteRowsOf(db, "referrers", appId, !keep));
}

/** Metacodes of all apps that one statement reads. */
const PAGE = 10_000;

/**
 * Deletes the former metacodes that stayed reserved for the app's referrers; returns how many. No index leads from
 * an app to these, so the whole directory is read; apps are seldom purged.
 */
async function deleteFormerSlugs(db: Db, appId: string): Promise<number> {
  let deleted = 0;
  let last = "";
  for (;;) {
    const { rows } = await db.orm.execute<{ slug: string }>(sql`
      select slug from (select slug from slug_directory where slug > ${last} order by slug limit ${PAGE}) page
       order by slug desc limit 1`);
    const end = rows[0]?.slug;
    if (end === undefined) return deleted;
    deleted += await deleteRows(
      db,
      sql`delete from slug_directory where app_id = ${appId} and slug > ${last} and slug <= ${end}`,
    );
    last = end;
  }
}

/** Subjects of the audit log that are or concern an end user. */
const OF_USERS = ["person", "referrer", "referral", "reward", "code", "event"];

/**
 * Removes all end users of an app from its audit log, which stays: after the app is gone, none can be erased from it. A search
 * in the log of the whole workspace, or in that of the app, may have named one of them.
 */
function forgetUsers(db: Db, { id, workspaceId }: Pick<typeof apps.$inferSelect, "id" | "workspaceId">) {
  const personal = sql`${sql.param(PERSONAL)}::text[]`;
  return walkRows(
    db,
    { table: "audit_log", tenant: sql`workspace_id = ${workspaceId}` },
    sql`update audit_log
           set subject_id = case when subject = 'person' then 'deleted' else subject_id end,
               subject_name = case when subject = any(array['person', 'referrer', 'referral']) then null else subject_name end,
               before = before - ${personal}, after = after - ${personal}
         where (app_id = ${id} and subject = any(${sql.param(OF_USERS)}::text[])
            or coalesce(app_id::text, after ->> 'app', ${id}) = ${id}::text and after ? 'q')`,
  );
}

/** Apps are purged an hour after they could last be restored, so that a restoration under way ends first. */
const AGE_MS = GRACE_DAYS * DAY_MS + HOUR_MS;

/** Deletes the remaining rows of deleted apps whose grace period has ended by `now`, the database's; returns how many. */
export async function purgeApps(db: Db, now: Date): Promise<number> {
  const end = new Date(now.getTime() - AGE_MS);
  const expired = await db.orm
    .select({ id: apps.id, workspaceId: apps.workspaceId })
    .from(apps)
    .where(and(isNotNull(apps.deletedAt), lt(apps.deletedAt, end)));
  return sumOfAll(expired, async (app) => {
    const { id } = app;
    await forgetUsers(db, app);
    const deleted = (await deleteAppRows(db, id)) + (await deleteFormerSlugs(db, id));
    // The app's own row comes last, so that the next run finds the rest of an interrupted run.
    await db.orm.delete(apps).where(and(eq(apps.id, id), isNotNull(apps.deletedAt)));
    return deleted + 1;
  });
}
