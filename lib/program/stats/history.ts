import { and, asc, eq, gt, sql } from "drizzle-orm";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { batchCounts, dailyStats, referrerProgress, rollupCursors } from "@/lib/platform/db/schema";
import { type HistoryGroup, readHistory } from "@/lib/program/stats/history-pages";

/** Rows that one statement writes. */
const CHUNK = 500;

interface Boundary extends Record<string, unknown> {
  id: string;
  at: string;
}

/** The end of the history: the outbox is read from this id on. Ids count milliseconds, so the time is cut to them. */
async function boundaryOf(db: Db, settledSeconds: number): Promise<Boundary> {
  const { rows } = await db.orm.execute<Boundary>(
    sql`select first_id(at)::text as id, at::text
          from (select date_trunc('milliseconds', clock_timestamp() - make_interval(secs => ${settledSeconds})) as at) now`,
  );
  const [boundary] = rows;
  if (!boundary) throw new Error("the database returned no time");
  return boundary;
}

type DayRow = Required<typeof dailyStats.$inferInsert>;
type BatchRow = Required<typeof batchCounts.$inferInsert>;

const NO_DAY = { clicked: 0, assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };

/** Codes that are added to a batch, or taken off. */
interface BatchChange extends Record<string, unknown> {
  batch: string;
  column: "assigned" | "confirmed";
  rows: number;
}

/** The column of the batch for each kind; a replacement code counts as assigned but not as a new referral. */
const OF_BATCH: Partial<Record<HistoryGroup["what"], BatchChange["column"]>> = {
  assigned: "assigned",
  claimed: "assigned",
  replaced: "assigned",
  confirmed: "confirmed",
};

type BatchSums = Map<string, Omit<BatchRow, "appId">>;

function addToBatch(all: BatchSums, { batch, column, rows }: BatchChange): void {
  const sums = all.get(batch) ?? { batchId: batch, assigned: 0, confirmed: 0 };
  sums[column] += rows;
  all.set(batch, sums);
}

/** The sums of an app's history in memory: some hundred days and batches, however many rows. */
class HistorySums {
  private readonly byDay = new Map<string, Omit<DayRow, "appId">>();
  private readonly byBatch: BatchSums = new Map();

  add({ what, day, campaign, platform, batch, rows }: HistoryGroup): void {
    if (what !== "replaced") {
      const key = `${day} ${campaign} ${platform}`;
      const sums = this.byDay.get(key) ?? { day, campaignId: campaign, platform, ...NO_DAY };
      sums[what] += rows;
      this.byDay.set(key, sums);
    }
    const column = OF_BATCH[what];
    if (batch && column) addToBatch(this.byBatch, { batch, column, rows });
  }

  days(appId: string): DayRow[] {
    return [...this.byDay.values()].map((row) => ({ ...row, appId }));
  }

  /** The sums with these changes, added to a copy, because a transaction that runs again reads the changes again. */
  batches(appId: string, changes: BatchChange[]): BatchRow[] {
    const all = structuredClone(this.byBatch);
    for (const change of changes) addToBatch(all, change);
    return [...all.values()].map((row) => ({ ...row, appId }));
  }
}

function chunksOf<Row>(rows: Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, n) =>
    rows.slice(n * CHUNK, (n + 1) * CHUNK),
  );
}

/** A cursor whose figures are to be counted again from the start. No event comes after it. */
export const RECOUNT_MARK = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Today's clicks are still being counted while the history is read, and those of former days may have been swept. */
const clicked = sql`greatest(${dailyStats.clicked}, excluded.clicked)`;

/** Removes the sums of a former count, except the clicks, which are not events. */
async function clear(db: Db, appId: string): Promise<void> {
  const sums = { assigned: 0, confirmed: 0, reversed: 0, earned: 0, claimed: 0 };
  await db.orm.update(dailyStats).set(sums).where(eq(dailyStats.appId, appId));
  await db.orm.delete(batchCounts).where(eq(batchCounts.appId, appId));
}

async function write(db: Db, appId: string, sums: HistorySums, silent: BatchChange[]): Promise<void> {
  for (const rows of chunksOf(sums.days(appId))) {
    await db.orm
      .insert(dailyStats)
      .values(rows)
      .onConflictDoUpdate({
        target: [dailyStats.appId, dailyStats.day, dailyStats.campaignId, dailyStats.platform],
        set: {
          clicked,
          assigned: sql`excluded.assigned`,
          confirmed: sql`excluded.confirmed`,
          reversed: sql`excluded.reversed`,
          earned: sql`excluded.earned`,
          claimed: sql`excluded.claimed`,
        },
      });
  }
  for (const rows of chunksOf(sums.batches(appId, silent))) {
    await db.orm
      .insert(batchCounts)
      .values(rows)
      .onConflictDoUpdate({
        target: [batchCounts.appId, batchCounts.batchId],
        set: { assigned: sql`excluded.given`, confirmed: sql`excluded.confirmed` },
      });
  }
}

const TOTAL_REFERRERS = sqlFunction("total_referrers", {
  app: "uuid",
  referrers: "uuid[]",
}).returns<void>();

/** Referrers that one statement counts. */
const REFERRERS = 1_000;

/** Counts the confirmed referrals of all referrers, whose events the outbox may no longer have. */
async function totalReferrers(db: Db, appId: string): Promise<void> {
  const { appId: app, referrerId: id } = referrerProgress;
  let after = NIL_ID;
  for (;;) {
    const page = await db.orm
      .selectDistinct({ id })
      .from(referrerProgress)
      .where(and(eq(app, appId), gt(id, after)))
      .orderBy(asc(id))
      .limit(REFERRERS);
    await db.call(TOTAL_REFERRERS, { app: appId, referrers: page.map((row) => row.id) });
    if (page.length < REFERRERS) return;
    after = page.at(-1)?.id ?? after;
  }
}

const COUNTED = ["assigned", "confirmed", "reversed", "earned", "claimed"] as const;

interface EventCounts extends Record<(typeof COUNTED)[number], number> {
  day: string;
  campaign_id: string;
  platform: HistoryGroup["platform"];
  batch_id: string | null;
}

const EVENT_COUNTS = sqlFunction("event_counts", {
  app: "uuid",
  after: "uuid",
  through: "uuid",
}).returns<EventCounts[]>();

/**
 * The events of transactions that began before the boundary and emitted after it: the tables date them by the beginning of
 * the transaction, the outbox by the event, so they would be counted twice. They are few, so each is counted separately.
 */
async function readStraddling(db: Db, appId: string, { id, at }: Boundary): Promise<HistoryGroup[]> {
  const { rows } = await db.orm.execute<{ before: string; id: string }>(sql`
    select before.id as before, o.id
      from outbox o
      cross join lateral (
        select p.id from outbox p where p.app_id = ${appId} and p.id < o.id
         union all select ${NIL_ID}::uuid order by id desc limit 1) before
     where o.app_id = ${appId} and o.id >= ${id} and o.created_at < ${at}::timestamptz`);
  const groups: HistoryGroup[] = [];
  for (const event of rows) {
    const counts = await db.call(EVENT_COUNTS, { app: appId, after: event.before, through: event.id });
    for (const { day, campaign_id, platform, batch_id, ...row } of counts) {
      for (const what of COUNTED) {
        if (row[what] === 0) continue;
        groups.push({ what, day, campaign: campaign_id, platform, batch: batch_id, rows: row[what] });
      }
    }
  }
  return groups;
}

/**
 * The changes of batches since the boundary that have no event: the codes that replaced others, and the confirmations that were
 * unlinked, whose events still add them to the batch of the code that the referral had then.
 */
async function readSilent(db: Db, appId: string, at: string): Promise<BatchChange[]> {
  const { rows } = await db.orm.execute<BatchChange>(sql`
    select 'assigned' as column, k.batch_id as batch, count(*)::int as rows
      from code_replacements x join codes k on k.app_id = ${appId} and k.id = x.new_code_id
     where x.app_id = ${appId} and x.created_at >= ${at}::timestamptz group by k.batch_id
    union all
    select 'confirmed', c.batch_id, -count(*)::int
      from undone_steps u cross join lateral (
        (select k.batch_id from code_replacements x join codes k on k.app_id = ${appId} and k.id = x.old_code_id
          where x.app_id = ${appId} and x.assignment_id = u.referral_id and x.created_at > u.happened_at
          order by x.created_at limit 1)
        union all
        select batch_id from codes where app_id = ${appId} and assignment_id = u.referral_id
        union all
        select k.batch_id from undone_steps r join codes k on k.app_id = ${appId} and k.id = r.code_id
         where r.app_id = ${appId} and r.referral_id = u.referral_id limit 1) c
     where u.app_id = ${appId} and u.step = 'redeemed' and u.happened_at >= ${at}::timestamptz group by c.batch_id`);
  return rows;
}

/**
 * Counts the history of an app before its cursor from the tables themselves, because the outbox holds seven days only.
 * Reads pages without locks, then writes the sums together with the cursor, whose key lets one process through. A
 * process that dies has written nothing.
 */
export async function addHistory(db: Db, appId: string, settledSeconds: number): Promise<void> {
  const boundary = await boundaryOf(db, settledSeconds);
  // Clicks were counted as they were stored, for the campaign of that time, which their rows do not name.
  const marked = and(eq(rollupCursors.appId, appId), eq(rollupCursors.lastId, RECOUNT_MARK));
  const again = (await db.orm.$count(rollupCursors, marked)) > 0;
  const sums = new HistorySums();
  for await (const group of readHistory(db, appId, boundary.at)) {
    if (!again || group.what !== "clicked") sums.add(group);
  }
  for (const group of await readStraddling(db, appId, boundary)) sums.add({ ...group, rows: -group.rows });
  await db.transaction(async (tx) => {
    const cursor = await tx.orm
      .insert(rollupCursors)
      .values({ appId, lastId: boundary.id, rolledAt: sql`now()` })
      .onConflictDoUpdate({
        target: rollupCursors.appId,
        set: { lastId: boundary.id, rolledAt: sql`excluded.rolled_at` },
        setWhere: eq(rollupCursors.lastId, RECOUNT_MARK),
      })
      .returning({ appId: rollupCursors.appId });
    if (cursor.length === 0) return;
    await clear(tx, appId);
    // Read last: a change that is under way waits for the cleared rows, and is added to the new ones.
    await write(tx, appId, sums, await readSilent(tx, appId, boundary.at));
  });
  await totalReferrers(db, appId);
}
