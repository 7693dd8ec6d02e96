import { type SQL, sql } from "drizzle-orm";
import { providerEvents } from "@/lib/platform/db/schema";
import { ANONYMOUS } from "@/lib/program/confirmations/storable";

const { uids, confirmation, createdAt, occurredAt, purchaseId } = providerEvents;

/** The 60 nearest ids of an event and those linked to them, like linked_uids, which a cluster cannot call for each row. */
// Each of the five steps reaches an id once at most, so 300 rows have 60 ids.
const linkedUids = (appId: string): SQL => sql`array(with recursive known (uid, step) as (
    select unnest(${uids}) collate "C", 0
    union select case when i.from_uid = k.uid then i.to_uid else i.from_uid end, k.step + 1 from known k
      join identity_links i on i.app_id = ${appId} and (i.from_uid = k.uid or i.to_uid = k.uid) where k.step < 4)
  select uid from (select uid, step from known limit 300) reached group by uid order by min(step) limit 60)`;

/**
 * Whether the buyer of an event is unknown: the provider sent no id, or only its own, which no link joins to another. A
 * renewal or refund by an id that looks like any other does not count: the first purchase may be older than the connection.
 */
export const isUnnamed = (appId: string): SQL => sql`(
  ${confirmation} @> '{"unnamed": true, "kind": "confirm", "renewal": false}' and ${linkedUids(appId)} <@ ${uids}
  or not exists (select 1 from unnest(${uids}) as u(uid) where u.uid !~ ${ANONYMOUS.source}))`;

/** Whether the person of an event waits in line. */
export const isInLine = (appId: string): SQL => sql`exists (
  select 1 from referees_in_line l where l.app_id = ${appId} and l.referee_uid = any(${linkedUids(appId)}))`;

/** Whether half of the newest confirmed purchases were found by the provider's own id: the app redeems with these ids. */
const redeemsUnnamed = (appId: string): SQL => sql`(
  select count(*) filter (where (${isUnnamed(appId)} or confirmation @> '{"unnamed": true}')
      and matched_by ->> 'uid' = any(uids)) * 2 >= greatest(count(*), 1) from (
      select * from provider_events c
       where c.app_id = ${appId} and c.verdict = 'confirmed' order by c.created_at desc limit 20) provider_events)`;

/** Whether a refund, or its withdrawal, lacks its purchase or may still change a referral, as in may_change_referral. */
export const mayTurnReferral = (appId: string): SQL => sql`(${confirmation} ->> 'kind' <> 'confirm' and (
  select coalesce(bool_or(case when e.kind = 'reverse' and f.reversed_at is not null then f.reversed_by is null
        else (e.kind = 'reverse' or f.reversed_by is not null and not exists (
          select 1 from referrers o where o.app_id = ${appId} and o.id = f.referrer_id and o.uid = any(${linkedUids(appId)}))) and not exists (select 1 from unnest(array[f.turned_at, case when
            f.purchased_at > f.confirmed_at and e.at <= ${createdAt} then f.confirmed_at - interval '1 day' else f.purchased_at end]) t (at)
          where t.at > e.at and (t.at <= now() or e.at > now())) end
      and (coalesce(${purchaseId} = f.confirmed_purchase, true) or not e.bought)) filter (where f.status = 'redeemed'),
    bool_or(not e.bought and not exists (select 1 from provider_events h where h.app_id = ${appId} and h.referral_id = f.id
      and h.verdict in ('not_paid', 'renewal') and ${purchaseId} ~ '^(pi|ch|py)_' and h.purchase_id like 'sub\\_%')), false)
  from referrals f, lateral (select ${confirmation} ->> 'kind' as kind, coalesce(${occurredAt}, ${createdAt}) as at, exists (
    select 1 from provider_events b where b.app_id = ${appId} and b.purchase_id = ${purchaseId} and b.confirmation ->> 'kind' = 'confirm') as bought) e
 where f.app_id = ${appId} and (f.referee_uid = any(${linkedUids(appId)}) or f.id = any(array(select c.referral_id from provider_events c where c.app_id = ${appId} and c.purchase_id = ${purchaseId} and c.verdict = 'confirmed')))))`;

/**
 * Whether an unmatched event shows a sign of a lost referral: an unnamed buyer, unless the app redeems with the provider's
 * ids; one to three open redemptions in the ten minutes before, as one may be the buyer's under another id; a buyer whose
 * redemption was released or waits in line; a refund that may change a referral. A list, because `between` counts twice.
 */
export const hasLostSign = (appId: string): SQL => sql`(
  ${isUnnamed(appId)} and (${uids} = '{}' or not ${redeemsUnnamed(appId)}) or ${mayTurnReferral(appId)}
  or ${confirmation} ->> 'kind' = 'confirm' and ((select count(*) from (
        select 1 from referrals r where r.app_id = ${appId} and r.status = 'code_assigned'
           and r.created_at between ${createdAt} - interval '10 minutes' and ${createdAt} limit 4) open_ones) = any('{1,2,3}')
    or exists (select 1 from unnest(${linkedUids(appId)}) as n(uid) where exists (
        select 1 from referees_in_line l where l.app_id = ${appId} and l.referee_uid = n.uid) or exists (select 1 from undone_steps u
          where u.app_id = ${appId} and u.step = 'code_assigned' and u.referee_uid = n.uid and u.created_at > ${createdAt} - interval '30 days'))))`;
