import { eq, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "@/lib/contract/format";
import { CHUNK, deleteRows, inChunks } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { firstIdAt, NIL_ID } from "@/lib/platform/db/index-ranges";
import { apps } from "@/lib/platform/db/schema";
import { sumOfAll } from "@/lib/platform/jobs/until-stored";
import { singleton } from "@/lib/platform/singleton";

const CLICKS_AGE = 90 * DAY_MS;

/** A provider's repeated delivery is recognised by its stored event for this long. */
export const EVENTS_AGE = 90 * DAY_MS;

/** The longest series of webhook attempts takes little more than a day. */
const OUTBOX_AGE = 7 * DAY_MS;

/** Deliveries can be sent again for this long. */
const WEBHOOKS_AGE = 30 * DAY_MS;

/** Daily counts of keys: a year, and the month for comparison. */
const USAGE_AGE = 400 * DAY_MS;

/** The people whom requests named, for support; not longer than the requests themselves. */
const SUBJECTS_AGE = 7 * DAY_MS;

/** An `Idempotency-Key` is honoured for a day. */
const ANSWER_AGE = DAY_MS;

/** An app with the retention periods that its owner sets. */
interface SweptApp {
  id: string;
  requestLogDays: number;
  payloadDays: number;
}

/** Rows of an app that are past their retention. */
interface ExpiredRows {
  table: string;
  /** Orders the rows from the oldest on. */
  key: string;
  where: SQL;
}

/** Ids begin with the time of their row. */
const createdBefore = (before: Date): SQL => sql`id < ${firstIdAt(before)} and created_at < ${before}`;

/**
 * Whether a member linked an event of this purchase: a payment or refund under other ids finds the referral that the
 * purchase confirmed, or may confirm, only by its events. Counts, so that no plan joins all events of the purchase.
 */
const isLinked = (appId: string): SQL => sql`(verdict in ('confirmed', 'not_paid', 'renewal') and (
  coalesce(matched_by ->> 'hand' = 'true', false) or (
    select count(*) from provider_events k where k.app_id = ${appId} and k.purchase_id >= provider_events.purchase_id
       and k.purchase_id <= provider_events.purchase_id and k.matched_by ->> 'hand' = 'true') > 0))`;

/** All rows of an app that are due for deletion, as conditions that an index answers at once if there are none. */
function expiredRows({ id, requestLogDays, payloadDays }: SweptApp, now: Date): ExpiredRows[] {
  const since = (age: number) => new Date(now.getTime() - age);
  const rows = (table: string, age: number) => ({ table, key: "id", where: createdBefore(since(age)) });
  const events = Math.max(EVENTS_AGE, payloadDays * DAY_MS);
  const day = sql`(${since(USAGE_AGE)}::timestamptz at time zone 'UTC')::date`;
  // Only events that the roll-up has counted: an app whose roll-up fails keeps its events until it works again.
  const counted = sql`id <= (select last_id from rollup_cursors where app_id = ${id})`;
  return [
    { table: "idempotency_keys", key: "created_at", where: sql`created_at < ${since(ANSWER_AGE)}` },
    { table: "outbox", key: "id", where: sql`${createdBefore(since(OUTBOX_AGE))} and ${counted}` },
    // Attempts are deleted by the age of their delivery, so the log of a stored delivery is complete.
    {
      table: "webhook_attempts",
      key: "delivery_id",
      where: sql`delivery_id < ${firstIdAt(since(WEBHOOKS_AGE))}`,
    },
    rows("clicks", CLICKS_AGE),
    {
      table: "provider_events",
      key: "id",
      where: sql`${createdBefore(since(events))} and not ${isLinked(id)}`,
    },
    rows("waiting_uids", events),
    rows("request_log", requestLogDays * DAY_MS),
    rows("request_subjects", Math.min(SUBJECTS_AGE, requestLogDays * DAY_MS)),
    rows("webhook_deliveries", WEBHOOKS_AGE),
    { table: "connection_refusals", key: "hour", where: sql`hour < ${since(EVENTS_AGE)}` },
    { table: "key_usage_days", key: "day", where: sql`day < ${day}` },
  ];
}

// The array is built once, before the delete. With IN the planner may run the inner limit again for each row and
// delete more than the limit.
function deleteExpired(appId: string, { table, key, where }: ExpiredRows): SQL {
  const [from, by] = [sql.identifier(table), sql.identifier(key)];
  return sql`delete from ${from} where app_id = ${appId} and ${where} and ${by} = any(array(
    select ${by} from ${from} where app_id = ${appId} and ${where} order by ${by} limit ${CHUNK}))`;
}

/** Whether an app has anything to sweep: one statement, which is all that an idle app costs. */
async function hasExpired(db: Db, app: SweptApp, expired: ExpiredRows[], now: Date): Promise<boolean> {
  const uncut = sql`exists (select from provider_events where app_id = ${app.id} and ${uncutPayloads(app, now)})`;
  const rows = expired.map(
    ({ table, where }) =>
      sql`exists (select from ${sql.identifier(table)} where app_id = ${app.id} and ${where})`,
  );
  const any = sql.join([uncut, ...rows], sql` or `);
  const found = await db.orm.execute<{ any: boolean }>(sql`select ${any} as any`);
  return found.rows[0]?.any ?? false;
}

/** Id of the last event whose payload this process has cut, by app. A new process reads all events once. */
const cutPositions = () => singleton("retention.payloads", () => new Map<string, string>());

const cutUntil = ({ payloadDays }: SweptApp, now: Date): string =>
  firstIdAt(new Date(now.getTime() - payloadDays * DAY_MS));

/** The events whose payload may have to be cut. */
const uncutPayloads = (app: SweptApp, now: Date): SQL =>
  sql`id > ${cutPositions().get(app.id) ?? NIL_ID} and id < ${cutUntil(app, now)}`;

/** The last event of the next page of {@link uncutPayloads}. */
async function endOfPage(db: Db, app: SweptApp, now: Date): Promise<string | undefined> {
  const { rows } = await db.orm.execute<{ id: string }>(sql`
    select id from (select id from provider_events where app_id = ${app.id} and ${uncutPayloads(app, now)}
                     order by id limit ${CHUNK}) page order by id desc limit 1`);
  return rows[0]?.id;
}

/** Empties the payloads of events past the app's retention; the fields read from them stay. Returns how many. */
async function cutPayloads(db: Db, app: SweptApp, now: Date): Promise<number> {
  let cut = 0;
  for (;;) {
    const after = cutPositions().get(app.id) ?? NIL_ID;
    const end = await endOfPage(db, app, now);
    if (!end) return cut;
    const { rowCount } = await db.orm.execute(sql`update provider_events set payload = '{}'
      where app_id = ${app.id} and id > ${after} and id <= ${end} and payload <> '{}'`);
    cut += rowCount ?? 0;
    cutPositions().set(app.id, end);
  }
}

/** Deletes the rows of one app that are past their retention, and cuts payloads; returns how many rows. */
export async function sweepTenant(db: Db, app: SweptApp, now: Date): Promise<number> {
  const expired = expiredRows(app, now);
  if (!(await hasExpired(db, app, expired, now))) return 0;
  const deletions = expired.map((rows) => () => inChunks(() => deleteRows(db, deleteExpired(app.id, rows))));
  return sumOfAll([...deletions, () => cutPayloads(db, app, now)], (step) => step());
}

/** {@link sweepTenant} for the app of an id; nothing where it was purged. */
export async function sweepApp(db: Db, appId: string, now: Date): Promise<number> {
  const [app] = await db.orm.select().from(apps).where(eq(apps.id, appId));
  return app ? sweepTenant(db, app, now) : 0;
}
