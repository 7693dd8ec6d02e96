import { eq, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import { CHUNK, deleteRows, inChunks } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { firstIdAt, NIL_ID } from "@/lib/platform/db/index-ranges";
import { apps } from "@/lib/platform/db/schema";
import { singleton } from "@/lib/platform/singleton";

const CLICKS_AGE = 90 * DAY_MS;

/** A provider's repeated delivery is recognised by its stored event for this long. */
const EVENTS_AGE = 90 * DAY_MS;

/** The longest series of webhook attempts takes little more than a day. */
const OUTBOX_AGE = 7 * DAY_MS;

/** Deliveries can be sent again for this long. */
const WEBHOOKS_AGE = 30 * DAY_MS;

/** Daily counts of keys: a year, and the month for comparison. */
const USAGE_AGE = 400 * DAY_MS;

/** The people whom requests named, for support. */
const SUBJECTS_AGE = 7 * DAY_MS;

/** An `Idempotency-Key` is honoured for a day. */
const ANSWER_AGE = DAY_MS;

/** An app with the retention periods that its owner sets. */
interface SweptApp {
  id: string;
  requestLogDays: number;
  payloadDays: number;
}

// The array is built once, before the delete. With IN the planner may run the inner limit again for each row and
// delete more than the limit.
function deleteOld(table: SQL | ReturnType<typeof sql.identifier>, appId: string, before: Date): SQL {
  return sql`delete from ${table} where app_id = ${appId} and id = any(array(
    select id from ${table} where app_id = ${appId} and id < ${firstIdAt(before)} and created_at < ${before}
     order by id limit ${CHUNK}))`;
}

/** Only events that the roll-up has counted: an app whose roll-up fails keeps its events until it works again. */
function deleteEvents(appId: string, before: Date): SQL {
  return sql`delete from outbox where app_id = ${appId} and id = any(array(
    select id from outbox where app_id = ${appId} and id < ${firstIdAt(before)} and created_at < ${before}
       and id <= (select last_id from rollup_cursors where app_id = ${appId}) order by id limit ${CHUNK}))`;
}

/** Attempts are deleted by the age of their delivery, so the log of a stored delivery is complete. */
function deleteAttempts(appId: string, before: Date): SQL {
  return sql`delete from webhook_attempts where app_id = ${appId} and delivery_id = any(array(
    select delivery_id from webhook_attempts where app_id = ${appId} and delivery_id < ${firstIdAt(before)}
     order by delivery_id limit ${CHUNK}))`;
}

function deleteAnswers(appId: string, before: Date): SQL {
  return sql`delete from idempotency_keys where app_id = ${appId} and created_at < ${before} and key = any(array(
    select key from idempotency_keys where app_id = ${appId} and created_at < ${before}
     order by created_at limit ${CHUNK}))`;
}

function deleteRefusals(appId: string, before: Date): SQL {
  return sql`delete from connection_refusals where app_id = ${appId} and hour < ${before}`;
}

function deleteUsage(appId: string, before: Date): SQL {
  return sql`delete from key_usage_days
    where app_id = ${appId} and day < (${before}::timestamptz at time zone 'UTC')::date`;
}

/** Id of the last event whose payload this process has cut, by app. A new process reads all events once. */
const cutPositions = () => singleton("retention.payloads", () => new Map<string, string>());

/** The last event of the next page, among the ids between `after` and `before`. */
async function endOfPage(db: Db, appId: string, after: string, before: string): Promise<string | undefined> {
  const { rows } = await db.orm.execute<{ id: string }>(sql`
    select id from (select id from provider_events where app_id = ${appId} and id > ${after} and id < ${before}
                     order by id limit ${CHUNK}) page order by id desc limit 1`);
  return rows[0]?.id;
}

/**
 * Empties payloads of provider events beyond the app's retention; the fields read from them stay. Returns how many.
 */
async function cutPayloads(db: Db, { id: appId, payloadDays }: SweptApp, now: Date): Promise<number> {
  const before = firstIdAt(new Date(now.getTime() - payloadDays * DAY_MS));
  let cut = 0;
  for (;;) {
    const after = cutPositions().get(appId) ?? NIL_ID;
    const end = await endOfPage(db, appId, after, before);
    if (!end) return cut;
    const { rowCount } = await db.orm.execute(sql`update provider_events set payload = '{}'
      where app_id = ${appId} and id > ${after} and id <= ${end} and payload <> '{}'`);
    cut += rowCount ?? 0;
    cutPositions().set(appId, end);
  }
}

/** Deletes the rows of one app that are past their retention, and cuts payloads; returns how many rows. */
export async function sweepTenant(db: Db, app: SweptApp, now: Date): Promise<number> {
  const { id, requestLogDays, payloadDays } = app;
  const since = (age: number) => new Date(now.getTime() - age);
  const tables = [
    { table: sql.identifier("clicks"), age: CLICKS_AGE },
    { table: sql.identifier("provider_events"), age: Math.max(EVENTS_AGE, payloadDays * DAY_MS) },
    { table: sql.identifier("waiting_uids"), age: Math.max(EVENTS_AGE, payloadDays * DAY_MS) },
    { table: sql.identifier("request_log"), age: requestLogDays * DAY_MS },
    { table: sql.identifier("request_subjects"), age: SUBJECTS_AGE },
    { table: sql.identifier("webhook_deliveries"), age: WEBHOOKS_AGE },
  ];
  let swept = await inChunks(() => deleteRows(db, deleteAnswers(id, since(ANSWER_AGE))));
  swept += await inChunks(() => deleteRows(db, deleteEvents(id, since(OUTBOX_AGE))));
  swept += await inChunks(() => deleteRows(db, deleteAttempts(id, since(WEBHOOKS_AGE))));
  for (const { table, age } of tables) {
    swept += await inChunks(() => deleteRows(db, deleteOld(table, id, since(age))));
  }
  swept += await deleteRows(db, deleteRefusals(id, since(EVENTS_AGE)));
  swept += await cutPayloads(db, app, now);
  return swept + (await deleteRows(db, deleteUsage(id, since(USAGE_AGE))));
}

/** {@link sweepTenant} for the app of an id; nothing where it was purged. */
export async function sweepApp(db: Db, appId: string, now: Date): Promise<number> {
  const [app] = await db.orm.select().from(apps).where(eq(apps.id, appId));
  return app ? sweepTenant(db, app, now) : 0;
}
