-- Finds the referral of an event: by its own ids, by links between the ids of one end user, by the purchase.

-- The statements of a confirmation read a range of a single value in index order, because another index would need a sort. With `=`, a
-- plan made on an empty table may pick any index, and a list is planned as a filter over all rows of an app where most are small.

-- The time of an event: the store's if the provider sends it, else the arrival.
create or replace function event_time(p_event provider_events) returns timestamptz language plpgsql immutable as $$
begin
  return coalesce(p_event.occurred_at, p_event.created_at);
end $$;

-- Locks every referral of these ids in any state, so that all events of one end user are applied one after the other. The order is
-- fixed, because two events with the same ids would otherwise deadlock. Returns whether there is any.
create or replace function lock_referrals(p_app uuid, p_uids text[]) returns boolean language plpgsql as $$
declare
  v_uids text[] := p_uids;
  v_uid text;
  v_any boolean := false;
begin
  -- Most events name one id.
  if cardinality(p_uids) > 1 then
    v_uids := array(select distinct u.uid from unnest(p_uids) as u(uid) order by u.uid);
  end if;
  foreach v_uid in array v_uids loop
    perform 1 from referrals
      where app_id = p_app and referee_uid >= v_uid and referee_uid <= v_uid order by referee_uid, created_at for update;
    v_any := v_any or found;
  end loop;
  return v_any;
end $$;

-- The purchase of an event that confirmed or reversed a referral: p_stored, or that of the event. Earlier versions did not store it,
-- and events are deleted after 90 days.
create or replace function purchase_of(p_app uuid, p_event uuid, p_stored text default null) returns text language plpgsql as $$
begin
  return coalesce(p_stored, (
    select e.purchase_id from provider_events e
     where e.app_id = p_app and e.id >= p_event and e.id <= p_event order by e.id limit 1));
end $$;

-- The newest referral of these ids that this purchase has confirmed, or that a member had confirmed when it arrived; of p_campaign, or
-- of any.
create or replace function paid_referral(p_app uuid, p_uids text[], p_purchase text, p_campaign uuid default null)
returns referrals language plpgsql as $$
declare
  v_uid text;
  v_referral referrals;
  v_paid referrals;
begin
  if p_purchase is null then
    return null;
  end if;
  foreach v_uid in array p_uids loop
    for v_referral in
      select * from referrals
       where app_id = p_app and referee_uid >= v_uid and referee_uid <= v_uid and status = 'redeemed'
       order by referee_uid, created_at
    loop
      if (v_paid.id is null or v_referral.created_at > v_paid.created_at)
         and v_referral.campaign_id = coalesce(p_campaign, v_referral.campaign_id)
         and purchase_of(p_app, v_referral.confirmed_by, v_referral.confirmed_purchase) = p_purchase then
        v_paid := v_referral;
      end if;
    end loop;
  end loop;
  return v_paid;
end $$;

-- Whether two ids belong to different purchases. False for unknown ids, and for a subscription and a payment of Stripe, which
-- names the one (sub_) in its purchases and the other in their refunds (pi_; ch_ or py_ in old accounts).
create or replace function other_purchase(p_one text, p_two text) returns boolean language plpgsql immutable as $$
begin
  return coalesce(p_one <> p_two, false)
     and not (p_one like 'sub\_%' and p_two ~ '^(pi|ch|py)_' or p_two like 'sub\_%' and p_one ~ '^(pi|ch|py)_');
end $$;

-- Whether a purchase has arrived under this very id. Then it is no payment of a subscription: those purchases bear the subscription's.
create or replace function has_bought(p_app uuid, p_purchase text) returns boolean language plpgsql as $$
begin
  return exists (
    select 1 from (
      select * from provider_events e
       where e.app_id = p_app and e.purchase_id >= p_purchase and e.purchase_id <= p_purchase
       order by e.purchase_id limit 50) n
     where n.confirmation ->> 'kind' = 'confirm');
end $$;

-- Whether this refund, or its withdrawal, may still change the referral. Not once a later event has changed it, because refunds arrive
-- in any order, nor if it is known to be of another purchase; a withdrawal may also name the purchase whose refund reversed the
-- referral. What a member links counts whatever its time and purchase. After a reversal by hand any refund becomes its reason.
create or replace function may_change_referral(p_app uuid, p_referral referrals, p_event provider_events, p_by_hand boolean)
returns boolean language plpgsql as $$
declare
  v_purchase text := purchase_of(p_app, p_referral.confirmed_by, p_referral.confirmed_purchase);
begin
  -- A purchase that a wrong clock dated ahead counts as a day older than its confirmation.
  if p_referral.purchased_at > p_referral.confirmed_at and event_time(p_event) <= p_event.created_at then
    p_referral.purchased_at := p_referral.confirmed_at - interval '1 day';
  end if;
  if (other_purchase(p_event.purchase_id, v_purchase) or p_event.purchase_id <> v_purchase and has_bought(p_app, p_event.purchase_id))
     and purchase_of(p_app, p_referral.reversed_by) is distinct from p_event.purchase_id then
    return p_by_hand;
  end if;
  return p_by_hand or (p_referral.reversed_at is not null and p_event.confirmation ->> 'kind' = 'reverse') or not exists (
    select 1 from unnest(array[p_referral.purchased_at, p_referral.turned_at]) t (at)
     where t.at > event_time(p_event) and (t.at <= now() or event_time(p_event) > now()));
end $$;

-- Whether one of these ids has a confirmed referral in a campaign.
create or replace function counts_in(p_app uuid, p_campaign uuid, p_uids text[]) returns boolean language plpgsql as $$
begin
  perform 1 from unnest(p_uids) i (uid) cross join lateral (select 1 from referrals where app_id = p_app
    and campaign_id = p_campaign and referee_uid >= i.uid and referee_uid <= i.uid and status = 'redeemed' order by referee_uid limit 1) r;
  return found;
end $$;

-- Whether to try linked ids although the event's own ids may have a referral. A purchase stays with a linked id's referral that it
-- confirmed, or whose trial it is. Another one confirms a linked id's open referral if the own ids have no open one, and none there.
create or replace function follows_links(p_app uuid, p_event provider_events, p_linked text[]) returns boolean language plpgsql as $$
begin
  if (paid_referral(p_app, p_linked, p_event.purchase_id)).id is not null then
    return true;
  elsif p_event.confirmation ->> 'kind' <> 'confirm' then
    return false;
  end if;
  perform 1 from unnest(p_linked) i (uid) cross join lateral (select 1 from referrals where app_id = p_app and referee_uid >= i.uid
    and referee_uid <= i.uid and status = 'code_assigned' and confirmed_purchase = p_event.purchase_id order by referee_uid limit 1) r;
  if found then
    return true;
  end if;
  perform 1 from unnest(p_event.uids) i (uid) cross join lateral (select 1 from referrals
    where app_id = p_app and referee_uid >= i.uid and referee_uid <= i.uid and status = 'code_assigned' order by referee_uid limit 1) r;
  if found then
    return false;
  end if;
  perform 1 from unnest(p_linked) i (uid) cross join lateral (select campaign_id from referrals where app_id = p_app
    and referee_uid >= i.uid and referee_uid <= i.uid and status = 'code_assigned' order by referee_uid) r where not exists (
      select 1 from unnest(p_event.uids) e (uid) cross join lateral (select 1 from referrals o where o.app_id = p_app
        and o.campaign_id = r.campaign_id and o.referee_uid >= e.uid and o.referee_uid <= e.uid order by o.referee_uid limit 1) n) limit 1;
  return found;
end $$;

-- The referral that the event changes: the newest of the first id that has one, or the last whose trial a payment follows. A purchase
-- that has confirmed a referral confirms no other of that campaign, and one of another campaign only if its code was assigned after
-- that and before the event. A conversion confirms only its trial's referral, and a refund belongs to its own purchase if known.
create or replace function match_referral(p_app uuid, p_event provider_events, p_uids text[], p_by_hand boolean) returns referrals language plpgsql as $$
declare
  v_kind text := p_event.confirmation ->> 'kind';
  v_at timestamptz := event_time(p_event);
  v_until timestamptz := case when p_by_hand then 'infinity' else p_event.created_at + redemption_grace() end;
  v_paid referrals := paid_referral(p_app, p_uids, p_event.purchase_id);
  -- All events of Stripe that begin a subscription belong to its first referral: a later subscription has its own id.
  v_after timestamptz := case when p_event.purchase_id like 'sub\_%' and not (p_event.confirmation ->> 'renewal')::boolean
    then 'infinity' else greatest(v_paid.created_at, least(v_paid.purchased_at, v_paid.confirmed_at)) end;
  v_uid text;
  v_referral referrals;
  v_found referrals;
begin
  foreach v_uid in array p_uids loop
    for v_referral in
      select * from referrals r
       where r.app_id = p_app and r.referee_uid >= v_uid and r.referee_uid <= v_uid
         and r.id = coalesce((p_event.confirmation ->> 'referral')::uuid, r.id) and case v_kind
               when 'confirm' then r.status = 'code_assigned' and r.created_at <= v_until
                 and (v_paid.id is null or (r.created_at > v_after and r.created_at <= v_at))
               when 'reverse' then r.status = 'redeemed' and (v_paid.id is null or r.id = v_paid.id)
                 and (r.reversed_at is null or r.reversed_by is null)
               else r.reversed_at is not null and (r.reversed_by is not null or p_by_hand) and (v_paid.id is null or r.id = v_paid.id)
             end
       order by r.referee_uid desc, r.created_at desc
    loop
      -- None is confirmed where one of the event's own ids already counts. An event linked to one referral by hand changes no other.
      if (v_found.id is null or v_kind = 'confirm' and v_paid.id is null and pays_for_trial(p_app, p_event, v_referral, v_found))
         and (case when v_kind <> 'confirm' then may_change_referral(p_app, v_referral, p_event, p_by_hand)
                 and (v_kind = 'reverse' or not is_own_referral(p_app, v_referral))
               when (v_uid <> all(p_event.uids) or cardinality(p_event.uids) > 1)
                 and counts_in(p_app, v_referral.campaign_id, p_event.uids) then false
               else v_paid.id is null or (paid_referral(p_app, p_uids, p_event.purchase_id, v_referral.campaign_id)).id is null
                 and (not p_event.confirmation ? 'conversion' or trial_time(p_app, v_referral, p_event) is not null) end) then
        v_found := v_referral;
      end if;
    end loop;
  end loop;
  return v_found;
end $$;

-- The ids linked to these, nearest first: [{"uid", "links": [{"from", "to", "type"}]}]. At most four links away and
-- fifty in all, so that long lists of ids stay fast.
create or replace function linked_uids(p_app uuid, p_uids text[]) returns jsonb language plpgsql as $$
declare
  v_known text[] := p_uids;
  v_edge jsonb;
  v_next jsonb;
  v_all jsonb := '[]';
begin
  -- Most ids have no links, and every confirmation comes here.
  perform 1 from unnest(p_uids) as u (uid) cross join lateral (
    (select 1 from identity_links i
      where i.app_id = p_app and i.to_uid >= u.uid and i.to_uid <= u.uid order by i.to_uid limit 1)
    union all
    (select 1 from identity_links i
      where i.app_id = p_app and i.from_uid >= u.uid and i.from_uid <= u.uid order by i.from_uid limit 1)) l limit 1;
  if not found then
    return v_all;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('uid', u.uid, 'links', '[]'::jsonb)), '[]') into v_edge
    from unnest(p_uids) as u(uid);
  for v_step in 1 .. 4 loop
    select jsonb_agg(jsonb_build_object('uid', n.uid, 'links', n.links)) into v_next from (
      select distinct on (s.uid) s.uid, s.links from (
        select l.from_uid as uid, (x.value -> 'links') || jsonb_build_object(
                 'from', l.from_uid, 'to', l.to_uid, 'type', l.type) as links
          from jsonb_array_elements(v_edge) x
         cross join lateral (
           select * from identity_links i
            where i.app_id = p_app and i.to_uid >= x.value ->> 'uid' and i.to_uid <= x.value ->> 'uid'
            order by i.to_uid) l
        union all
        select l.to_uid, (x.value -> 'links') || jsonb_build_object('from', l.from_uid, 'to', l.to_uid, 'type', l.type)
          from jsonb_array_elements(v_edge) x
         cross join lateral (
           select * from identity_links i
            where i.app_id = p_app and i.from_uid >= x.value ->> 'uid' and i.from_uid <= x.value ->> 'uid'
            order by i.from_uid) l) s
       where s.uid <> all(v_known)
       order by s.uid
       limit 50 - jsonb_array_length(v_all)) n;
    exit when v_next is null;
    v_all := v_all || v_next;
    v_known := v_known || array(select x.value ->> 'uid' from jsonb_array_elements(v_next) x);
    v_edge := v_next;
  end loop;
  return v_all;
end $$;

-- The referral of an event's purchase, if its own ids have none: the one that another event of the purchase confirmed, with a common
-- id if the event has any, or else one that the campaign's rules held back. So payments and refunds follow a purchase linked by hand.
create or replace function referral_of_purchase(p_app uuid, p_event provider_events) returns referrals language plpgsql as $$
begin
  return (
    select r.referral
      from (select n.uids, n.referral_id, n.verdict from provider_events n
             where n.app_id = p_app and n.purchase_id >= p_event.purchase_id and n.purchase_id <= p_event.purchase_id
               and n.verdict = any(array['confirmed', 'not_paid', 'renewal']) order by n.purchase_id limit 50) e
     cross join lateral (
       select f as referral, f.created_at from referrals f
        where f.app_id = p_app and f.id >= e.referral_id and f.id <= e.referral_id order by f.id) r
     where cardinality(p_event.uids) = 0 or e.uids && p_event.uids
     order by e.verdict = 'confirmed' desc, r.created_at desc limit 1);
end $$;
