import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { CHUNK, deleteRows, idFrom, inChunks } from "@/lib/maintenance/chunks";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Rows of a tenant whose ids are UUIDv7, and how long each kind is kept. */
const KEPT = [
  { table: sql.identifier("clicks"), age: 90 * DAY },
  { table: sql.identifier("provider_events"), age: 90 * DAY },
];

/** Events for the outside: the longest series of tries to deliver one takes little more than a day. */
const OUTBOX_AGE = 7 * DAY;

/** A tenant, and how long it wants to keep what it may choose. */
export interface SweptApp {
  id: string;
  requestLogDays: number;
}

/** Daily counts of keys: a year and the month to compare it with. */
const USAGE_AGE = 400 * DAY;

/** An `Idempotency-Key` is honoured for a day. */
const ANSWER_AGE = DAY;

// The array is made once, before the delete. With IN the planner may run the inner limit again for each row and
// delete more than it was told.
function deleteOld(table: SQL | ReturnType<typeof sql.identifier>, appId: string, before: Date): SQL {
  return sql`delete from ${table} where app_id = ${appId} and id = any(array(
    select id from ${table} where app_id = ${appId} and id < ${idFrom(before)} and created_at < ${before}
     order by id limit ${CHUNK}))`;
}

/** Only what the roll-up has added to the figures: an app whose roll-up fails keeps its events until it works. */
function deleteEvents(appId: string, before: Date): SQL {
  return sql`delete from outbox where app_id = ${appId} and id = any(array(
    select id from outbox where app_id = ${appId} and id < ${idFrom(before)} and created_at < ${before}
       and id <= (select last_id from rollup_cursors where app_id = ${appId}) order by id limit ${CHUNK}))`;
}

function deleteAnswers(appId: string, before: Date): SQL {
  return sql`delete from idempotency_keys where app_id = ${appId} and created_at < ${before} and key = any(array(
    select key from idempotency_keys where app_id = ${appId} and created_at < ${before}
     order by created_at limit ${CHUNK}))`;
}

function deleteUsage(appId: string, before: Date): SQL {
  return sql`delete from key_usage_days
    where app_id = ${appId} and day < (${before}::timestamptz at time zone 'UTC')::date`;
}

/** Deletes what one app keeps no longer; returns how many rows went. */
export async function sweepTenant(db: Db, { id, requestLogDays }: SweptApp, now: Date): Promise<number> {
  const since = (age: number) => new Date(now.getTime() - age);
  const requests = { table: sql.identifier("request_log"), age: requestLogDays * DAY };
  let swept = await inChunks(() => deleteRows(db, deleteAnswers(id, since(ANSWER_AGE))));
  swept += await inChunks(() => deleteRows(db, deleteEvents(id, since(OUTBOX_AGE))));
  for (const { table, age } of [...KEPT, requests]) {
    swept += await inChunks(() => deleteRows(db, deleteOld(table, id, since(age))));
  }
  return swept + (await deleteRows(db, deleteUsage(id, since(USAGE_AGE))));
}
