import { type SQL, sql } from "drizzle-orm";
import type { Platform } from "@/lib/contract/fields";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";

/** Rows of a page, counted by figure, day and batch. */
export interface HistoryGroup extends Record<string, unknown> {
  what: "clicked" | "assigned" | "confirmed" | "reversed" | "earned" | "claimed" | "replaced";
  day: string;
  campaign: string;
  platform: Platform | "any";
  batch: string | null;
  rows: number;
}

/** Rows that one statement reads: some tens of milliseconds. */
const PAGE = 5_000;

/** A page of a table: the rows of an app after one id, up to another. */
interface Range {
  appId: string;
  after: string;
  through: string;
  /** The end of the history; later events are in the outbox, which never holds clicks. */
  before: string;
  /** The campaign of referrers without one of their own. */
  campaign: string | null;
}

const pageOf = (table: string, { appId, after, through }: Range, id = sql`id`): SQL =>
  sql`select * from ${sql.identifier(table)} where app_id = ${appId} and ${id} > ${after} and ${id} <= ${through}`;

/** The batches of an assignment's code, `now`, and of its `first` one, if support has replaced that. */
const codesOf = (appId: string): SQL => sql`
  left join lateral (select batch_id from codes where app_id = ${appId} and assignment_id = p.id limit 1) now on true
  left join lateral (${firstCodeOf(appId, sql`p.id`)}) first on true`;

const firstCodeOf = (appId: string, assignment: SQL): SQL => sql`
  select k.batch_id from code_replacements x
    join codes k on k.app_id = ${appId} and k.id = x.old_code_id
   where x.app_id = ${appId} and x.assignment_id = ${assignment} order by x.created_at limit 1`;

/** Each code that replaced another one of an assignment, as a figure of the row `p`. */
const replacementsOf = (appId: string, assignment: SQL): SQL => sql`
  select 'replaced', x.created_at, p.campaign_id, p.platform, k.batch_id from code_replacements x
    join codes k on k.app_id = ${appId} and k.id = x.new_code_id
   where x.app_id = ${appId} and x.assignment_id = ${assignment}`;

const grouped = (from: SQL, before: string): SQL => sql`
  select e.what, (e.at at time zone 'UTC')::date::text as day, e.campaign, e.platform, e.batch, count(*)::int as rows
    from ${from} where e.at < ${before}::timestamptz or e.what = 'clicked' and e.at is not null
   group by 1, 2, 3, 4, 5`;

const referralsOf = (range: Range): SQL =>
  grouped(
    sql`(${pageOf("referrals", range)}) p ${codesOf(range.appId)} cross join lateral (values
      ('clicked', p.clicked_at, p.campaign_id, 'any', null::uuid),
      ('assigned', p.created_at, p.campaign_id, p.platform, coalesce(first.batch_id, now.batch_id)),
      ('confirmed', p.confirmed_at, p.campaign_id, p.platform, now.batch_id),
      ('reversed', p.reversed_at, p.campaign_id, p.platform, null)
      union all ${replacementsOf(range.appId, sql`p.id`)}) e (what, at, campaign, platform, batch)`,
    range.before,
  );

const rewardsOf = (range: Range): SQL =>
  grouped(
    sql`(${pageOf("rewards", range)}) p ${codesOf(range.appId)} cross join lateral (values
      ('earned', p.created_at, p.campaign_id, p.platform, null::uuid),
      ('claimed', p.claimed_at, p.campaign_id, p.platform, coalesce(first.batch_id, now.batch_id))
      union all ${replacementsOf(range.appId, sql`p.id`)}) e (what, at, campaign, platform, batch)`,
    range.before,
  );

/** Undone steps. Only those of a released referral count its codes: otherwise the referral's own row does. */
const undoneOf = (range: Range): SQL =>
  grouped(
    sql`(${pageOf("undone_steps", range, sql`referral_id`)}) p
      left join lateral (select batch_id from codes where app_id = ${range.appId} and id = p.code_id limit 1) now on true
      left join lateral (${firstCodeOf(range.appId, sql`p.referral_id`)}) first on p.step = 'code_assigned'
      cross join lateral (values
      ('clicked', case when p.step = 'code_assigned' then p.clicked_at end, p.campaign_id, 'any', null::uuid),
      (case p.step when 'redeemed' then 'confirmed' else 'assigned' end, p.happened_at, p.campaign_id, p.platform,
       coalesce(first.batch_id, now.batch_id)),
      ('reversed', p.reversed_at, p.campaign_id, p.platform, null)
      union all ${replacementsOf(range.appId, sql`p.referral_id`)} and p.step = 'code_assigned')
      e (what, at, campaign, platform, batch)`,
    range.before,
  );

const clicksOf = (range: Range): SQL =>
  grouped(
    sql`(select 'clicked' as what, p.created_at as at, 'any' as platform, null::uuid as batch,
                coalesce(r.campaign_id, ${range.campaign}::uuid, ${NIL_ID}::uuid) as campaign
           from (${pageOf("clicks", range)}) p left join referrers r on r.app_id = ${range.appId} and r.id = p.referrer_id) e`,
    range.before,
  );

/** Referrals and their undone steps are read by one statement, so that one that is undone meanwhile is counted once. */
const stepsOf = (range: Range): SQL => sql`${referralsOf(range)} union all ${undoneOf(range)}`;

const SOURCES = { referrals: stepsOf, rewards: rewardsOf, clicks: clicksOf };

/** The last id of the next page, along (app_id, id), or (app_id, referral_id) of undone steps; undefined at the end. */
async function endOfPage(db: Db, table: string, appId: string, after: string): Promise<string | undefined> {
  const idsOf = (name: string, id: SQL) => sql`(select ${id} as id from ${sql.identifier(name)}
    where app_id = ${appId} and ${id} > ${after} order by ${id} limit ${PAGE})`;
  const undone = table === "referrals" ? sql`union all ${idsOf("undone_steps", sql`referral_id`)}` : sql``;
  const { rows } = await db.orm.execute<{ id: string }>(sql`
    select id from (select id from (${idsOf(table, sql`id`)} ${undone}) ids order by id limit ${PAGE}) page order by id desc limit 1`);
  return rows[0]?.id;
}

/** The history of an app before a timestamp, by day, campaign, platform and batch, a bounded statement at a time. */
export async function* readHistory(db: Db, appId: string, before: string): AsyncGenerator<HistoryGroup> {
  const { rows: known } = await db.orm.execute<{ campaign: string | null }>(
    sql`select id as campaign from campaign_of(${appId}, null)`,
  );
  const campaign = known[0]?.campaign ?? null;
  for (const [table, read] of Object.entries(SOURCES)) {
    let after = NIL_ID;
    for (;;) {
      const through = await endOfPage(db, table, appId, after);
      if (!through) break;
      const { rows } = await db.orm.execute<HistoryGroup>(read({ appId, after, through, before, campaign }));
      yield* rows;
      after = through;
    }
  }
}
