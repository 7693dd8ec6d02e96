import { type SQL, sql } from "drizzle-orm";
import { providerEvents } from "@/lib/platform/db/schema";
import { ANONYMOUS } from "@/lib/program/confirmations/diagnose";

/** Redemptions this long before a purchase may be the buyer's under another id. */
const SHORTLY = sql`interval '10 minutes'`;

/** With more open redemptions than this in that time, one of them says nothing about a purchase. */
const FEW = 3;

/** The ids of an event and those linked to them; by subqueries, because a cluster calls no function over tables here. */
const linkedUids = (appId: string): SQL => sql`array(
  select unnest(${providerEvents.uids})
  union all select i.to_uid from identity_links i where i.app_id = ${appId} and i.from_uid = any(${providerEvents.uids})
  union all select i.from_uid from identity_links i where i.app_id = ${appId} and i.to_uid = any(${providerEvents.uids}))`;

/**
 * Whether the buyer of an event is not known: the provider sent no id, or only its own, which no link joins to another. A
 * renewal or refund by an id that looks like any other does not count: the first purchase may be older than the connection.
 */
export function isUnnamed(appId: string): SQL {
  return sql`(${providerEvents.confirmation} @> '{"unnamed": true, "kind": "confirm", "renewal": false}'
    and ${linkedUids(appId)} <@ ${providerEvents.uids} or not exists (
    select 1 from unnest(${providerEvents.uids}) as u(uid) where u.uid !~ ${ANONYMOUS.source}))`;
}

/** Whether the person of an event waits in line. */
export function isInLine(appId: string): SQL {
  return sql`exists (select 1 from referees_in_line l
    where l.app_id = ${appId} and l.referee_uid = any(${linkedUids(appId)}))`;
}

/** Whether half of the newest confirmed purchases were found by the provider's own id: the app redeems with these ids. */
const redeemsUnnamed = (appId: string): SQL => sql`(
  select count(*) filter (where (${isUnnamed(appId)} or confirmation @> '{"unnamed": true}')
      and matched_by ->> 'uid' = any(uids)) * 2 >= greatest(count(*), 1) from (
      select * from provider_events c
       where c.app_id = ${appId} and c.verdict = 'confirmed' order by c.created_at desc limit 20) provider_events)`;

/**
 * Whether an unmatched event shows a sign of a lost referral: a buyer whom the provider does not name, unless the app redeems
 * with the provider's ids, a purchase with a few open redemptions shortly before or of a person whose redemption was released
 * or waits in line, or a refund of a referee. A linked id counts like the event's own. All others are about buyers without an
 * invitation, whose refunds are as common as their purchases.
 */
export function hasLostSign(appId: string): SQL {
  const { confirmation, createdAt } = providerEvents;
  const uids = linkedUids(appId);
  return sql`(${isUnnamed(appId)} and (${providerEvents.uids} = '{}' or not ${redeemsUnnamed(appId)})
    or case when ${confirmation} ->> 'kind' = 'confirm'
    then (select count(*) from (
            select 1 from referrals r
             where r.app_id = ${appId} and r.created_at between ${createdAt} - ${SHORTLY} and ${createdAt}
               and r.status = 'code_assigned' limit ${FEW + 1}) open_ones) between 1 and ${FEW}
      or ${isInLine(appId)}
      or exists (select 1 from undone_steps u
                  where u.app_id = ${appId} and u.referee_uid = any(${uids}) and u.step = 'code_assigned'
                    and u.created_at > ${createdAt} - interval '30 days')
    else exists (select 1 from referrals f where f.app_id = ${appId} and f.referee_uid = any(${uids})) end)`;
}
