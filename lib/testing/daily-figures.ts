import { sql } from "drizzle-orm";
import { database } from "@/lib/platform/db/client";
import { rollUp } from "@/lib/program/stats/roll-up";

type Rows = Record<string, unknown>[];

async function rowsOf(query: ReturnType<typeof sql>): Promise<Rows> {
  return (await database().orm.execute(query)).rows;
}

/** An app's stored figures, a line per day, campaign and platform, without lines of zeros. */
export function storedDays(appId: string): Promise<Rows> {
  return rowsOf(sql`
    select day::text, campaign_id, platform, clicked::int, assigned::int, confirmed::int, reversed::int, earned::int,
           claimed::int
      from daily_stats where app_id = ${appId}
       and (clicked, assigned, confirmed, reversed, earned, claimed) <> (0, 0, 0, 0, 0, 0) order by 1, 2, 3`);
}

/** The same figures, counted from the underlying rows. */
export function countedDays(appId: string): Promise<Rows> {
  const count = (what: string) =>
    sql`(count(*) filter (where what = ${what}))::int as ${sql.identifier(what)}`;
  const kinds = ["clicked", "assigned", "confirmed", "reversed", "earned", "claimed"].map(count);
  return rowsOf(sql`
    select (at at time zone 'UTC')::date::text as day, campaign_id, platform, ${sql.join(kinds, sql`, `)} from (
      select campaign_id, 'any' as platform, 'clicked' as what, clicked_at as at from referrals where app_id = ${appId}
      union all select coalesce(r.campaign_id, g.id), 'any', 'clicked', c.created_at from clicks c
        join referrers r on r.app_id = c.app_id and r.id = c.referrer_id
        join campaigns g on g.app_id = c.app_id and g.type = 'referral' where c.app_id = ${appId}
      union all select campaign_id, platform, 'assigned', created_at from referrals where app_id = ${appId}
      union all select campaign_id, platform, 'confirmed', confirmed_at from referrals where app_id = ${appId}
      union all select campaign_id, platform, 'reversed', reversed_at from referrals where app_id = ${appId}
      union all select campaign_id, 'any', 'clicked', clicked_at from undone_steps where app_id = ${appId}
      union all select campaign_id, platform, case step when 'redeemed' then 'confirmed' else 'assigned' end, happened_at
        from undone_steps where app_id = ${appId}
      union all select campaign_id, platform, 'reversed', reversed_at from undone_steps where app_id = ${appId}
      union all select campaign_id, platform, 'earned', created_at from rewards where app_id = ${appId}
      union all select campaign_id, platform, 'claimed', claimed_at from rewards where app_id = ${appId}) e
     where at is not null group by 1, 2, 3 order by 1, 2, 3`);
}

/** The stored counts of assigned and confirmed codes of each batch. */
export function storedBatches(appId: string): Promise<Rows> {
  return rowsOf(
    sql`select batch_id, given as assigned, confirmed from batch_counts where app_id = ${appId} order by batch_id`,
  );
}

/** The same counts, taken from the codes. */
export function countedBatches(appId: string): Promise<Rows> {
  return rowsOf(sql`
    select batch_id, count(*)::int as assigned, (count(*) filter (where status = 'confirmed'))::int as confirmed
      from codes where app_id = ${appId} and status <> 'available' group by batch_id order by batch_id`);
}

/** The stored confirmed referrals of each referrer who has any. */
export function storedTotals(appId: string): Promise<Rows> {
  return rowsOf(
    sql`select id, confirmed from referrers where app_id = ${appId} and confirmed <> 0 order by id`,
  );
}

/** The same numbers, counted from the referrals. */
export function countedTotals(appId: string): Promise<Rows> {
  return rowsOf(sql`
    select referrer_id as id, count(*)::int as confirmed from referrals
     where app_id = ${appId} and confirmed_at is not null and reversed_at is null and not held group by 1 order by 1`);
}

/** Rolls up all events emitted so far. Events of the last millisecond may need a second call. */
export async function rollUpNow(appId: string): Promise<void> {
  const behind = sql`
    select 1 from outbox o left join rollup_cursors c on c.app_id = o.app_id
     where o.app_id = ${appId} and (c.last_id is null or o.id > c.last_id) limit 1`;
  do await rollUp(database(), appId, 0);
  while ((await rowsOf(behind)).length > 0);
}
