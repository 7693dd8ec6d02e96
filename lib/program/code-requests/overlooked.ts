import { sql } from "drizzle-orm";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { personIds } from "@/lib/program/end-users/pseudonym";
import { endTakenPlaces, inLine, setAside } from "@/lib/program/line/line";
import type { Context } from "@/lib/tenants/context";

/** Places that one statement looks at: the first of them usually fits. */
const STEP = 500;

/**
 * Sets codes aside for referees who joined the line while codes arrived: the transaction that stored the codes did not see
 * them. If some pools fail, it throws after the last one.
 */
export async function setAsideOverlooked(ctx: Context): Promise<void> {
  await endTakenPlaces(ctx);
  const failures: unknown[] = [];
  for (const poolId of await overlookedPools(ctx)) {
    await setAside(ctx, poolId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `codes of ${failures.length} pools`);
}

/** Pools with a free code for a referee in line. Locks nothing, so a line that no code fits delays no redeem. */
export async function overlookedPools(ctx: Context): Promise<string[]> {
  const { rows: free } = await ctx.db.orm.execute<{ pool: string }>(sql`
    select o.id as pool, case when o.platform = 'ios' or o.one_per_offer or b.kind = 'custom' then b.offer end as offer,
           max(coalesce(b.expires_at, 'infinity'))::text as until
      from batches b join pools o on o.app_id = ${ctx.app.id} and o.id = b.pool_id and o.use = 'referee'
     where b.app_id = ${ctx.app.id} and b.state = 'ready' and (select true from codes c
       where c.app_id = ${ctx.app.id} and c.batch_id = b.id and c.status = 'available' order by c.slot limit 1)
     group by 1, 2`);
  const found: string[] = [];
  for (const id of new Set(free.map(({ pool }) => pool)))
    if (await isOverlooked(ctx, id, JSON.stringify(free.filter(({ pool }) => pool === id)))) found.push(id);
  return found;
}

async function isOverlooked(ctx: Context, pool: string, free: string, after = NIL_ID): Promise<boolean> {
  const places = await inLine(ctx, pool, after, STEP);
  const last = places.at(-1);
  if (!last) return false;
  const { rows } = await ctx.db.orm.execute(sql`
    select 1 from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as l (campaign_id uuid, referee_uid text collate "C", platform text)
     cross join lateral (select safety_margin_hours as hours from campaigns where app_id = ${ctx.app.id} and id = l.campaign_id limit 1) k
      join jsonb_to_recordset(${free}::jsonb) as n (offer text, until timestamptz)
        on n.until > now() + make_interval(hours => k.hours) + interval '48 hours'
     cross join lateral (
       select case when n.offer is not null then ${personIds(ctx.app.id, sql`l.referee_uid`)} else array[l.referee_uid] end as ids offset 0) w
     where not exists (
         select 1 from offer_takers t
          where t.app_id = ${ctx.app.id} and t.platform = l.platform and t.offer = n.offer and t.uid = any(w.ids))
       and not exists (
         select 1 from referees_in_line o
          cross join lateral (select batch_id, platform from codes where app_id = ${ctx.app.id} and id = o.code_id limit 1) s
          cross join lateral (select offer from batches where app_id = ${ctx.app.id} and id = s.batch_id limit 1) b
          where o.app_id = ${ctx.app.id} and o.referee_uid = any(w.ids) and s.platform = l.platform and b.offer = n.offer)
     limit 1`);
  return rows.length > 0 || isOverlooked(ctx, pool, free, last.place);
}
