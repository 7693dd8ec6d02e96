import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { CHUNK, deleteRows, idFrom, inChunks } from "@/lib/maintenance/chunks";
import { cutPayloads } from "@/lib/maintenance/cut-payloads";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const CLICKS_AGE = 90 * DAY;

/** What was read in a provider's event: a second delivery is known by it. */
const EVENTS_AGE = 90 * DAY;

/** Events for the outside: the longest series of tries to deliver one takes little more than a day. */
const OUTBOX_AGE = 7 * DAY;

/** What was sent can be sent again for as long. */
const WEBHOOKS_AGE = 30 * DAY;

/** A tenant, and how long it wants to keep what it may choose. */
interface SweptApp {
  id: string;
  requestLogDays: number;
  payloadDays: number;
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

/** With their delivery, so that its log is whole as long as it is there. */
function deleteAttempts(appId: string, before: Date): SQL {
  return sql`delete from webhook_attempts where app_id = ${appId} and delivery_id = any(array(
    select delivery_id from webhook_attempts where app_id = ${appId} and delivery_id < ${idFrom(before)}
     order by delivery_id limit ${CHUNK}))`;
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

/** Deletes what one app keeps no longer; returns how many rows went or were cut. */
export async function sweepTenant(db: Db, app: SweptApp, now: Date): Promise<number> {
  const { id, requestLogDays, payloadDays } = app;
  const since = (age: number) => new Date(now.getTime() - age);
  const kept = [
    { table: sql.identifier("clicks"), age: CLICKS_AGE },
    { table: sql.identifier("provider_events"), age: Math.max(EVENTS_AGE, payloadDays * DAY) },
    { table: sql.identifier("waiting_uids"), age: Math.max(EVENTS_AGE, payloadDays * DAY) },
    { table: sql.identifier("request_log"), age: requestLogDays * DAY },
    { table: sql.identifier("webhook_deliveries"), age: WEBHOOKS_AGE },
  ];
  let swept = await inChunks(() => deleteRows(db, deleteAnswers(id, since(ANSWER_AGE))));
  swept += await inChunks(() => deleteRows(db, deleteEvents(id, since(OUTBOX_AGE))));
  swept += await inChunks(() => deleteRows(db, deleteAttempts(id, since(WEBHOOKS_AGE))));
  for (const { table, age } of kept) {
    swept += await inChunks(() => deleteRows(db, deleteOld(table, id, since(age))));
  }
  swept += await cutPayloads(db, app, now);
  return swept + (await deleteRows(db, deleteUsage(id, since(USAGE_AGE))));
}
