-- Section 3.2: stores one event of a provider and applies it once, however often it is delivered. The row comes first,
-- so that a duplicate delivery at the same time waits for it; applying it is part of the same transaction. p_event holds
-- the row's columns.
create or replace function receive_confirmation(p_app uuid, p_event jsonb) returns jsonb
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_event provider_events := jsonb_populate_record(null::provider_events, p_event);
  v_known jsonb;
begin
  insert into provider_events
    (app_id, id, connection_id, event_id, type, uids, confirmation, verdict, occurred_at, purchase_id, links, headers,
     payload, failure, created_at)
  values (p_app, v_event.id, v_event.connection_id, v_event.event_id, v_event.type, v_event.uids, v_event.confirmation,
          coalesce(v_event.verdict, 'received'), v_event.occurred_at, v_event.purchase_id, v_event.links,
          v_event.headers, v_event.payload, v_event.failure, least(v_event.created_at, now()))
  on conflict (app_id, connection_id, event_id) do nothing
  returning * into v_event;
  if not found then
    select jsonb_build_object('verdict', 'duplicate', 'referral_id', e.referral_id) into v_known
      from provider_events e
     where e.app_id = p_app and e.connection_id = (p_event ->> 'connection_id')::uuid
       and e.event_id >= p_event ->> 'event_id' and e.event_id <= p_event ->> 'event_id'
     order by e.event_id;
    return v_known;
  end if;
  if v_event.verdict = 'unreadable' then
    return '{"verdict": "unreadable"}';
  end if;
  return apply_event(p_app, v_event, false);
end $$;

-- Whether this purchase has confirmed another referral of the same campaign.
create or replace function confirmed_another(p_app uuid, p_referral referrals, p_purchase text) returns boolean
language plpgsql as $$
begin
  return exists (
    select 1
      from (select n.id, n.referral_id from provider_events n
             where n.app_id = p_app and n.purchase_id >= p_purchase and n.purchase_id <= p_purchase and n.referral_id is not null
             order by n.purchase_id limit 200) e
     cross join lateral (
       select * from referrals f where f.app_id = p_app and f.id >= e.referral_id and f.id <= e.referral_id order by f.id) r
     where r.id <> p_referral.id and r.campaign_id = p_referral.campaign_id and r.status = 'redeemed'
       and (r.confirmed_purchase = p_purchase or r.confirmed_by = e.id));
end $$;

-- Links an unmatched event to an end user by hand and applies it as if it had named only that id. p_platform: the store of the
-- purchase, if the payload names one. p_referral: the only referral of that end user, who may have several, that it may change.
-- "misfit", without a change: a referral of the other store or newer than the event, or a purchase that has confirmed another.
create or replace function link_confirmation(
  p_app uuid, p_id uuid, p_uid text, p_platform text default null, p_referral uuid default null)
returns jsonb language plpgsql as $$
declare
  v_event provider_events;
  v_result jsonb;
  v_referral referrals;
begin
  select * into v_event from provider_events
   where app_id = p_app and id = p_id and verdict = 'unmatched' for update;
  if not found then
    return '{"verdict": "not_found"}';
  end if;
  v_event.matched_by := jsonb_build_object('uid', p_uid, 'hand', true);
  v_event.referral_id := p_referral;
  begin
    v_result := apply_single_event(p_app, v_event, true, true);
    select * into v_referral from referrals where app_id = p_app and id = (v_result ->> 'referral_id')::uuid;
    if v_referral.platform <> p_platform or v_referral.created_at > event_time(v_event) or v_referral.id <> p_referral
       or v_event.confirmation ->> 'kind' = 'confirm'
         and (v_referral.id is null and p_referral is not null or confirmed_another(p_app, v_referral, v_event.purchase_id)) then
      raise exception 'misfit' using errcode = 'MC422';
    end if;
  exception when sqlstate 'MC422' then
    return '{"verdict": "misfit"}';
  end;
  perform apply_dependents(p_app, v_event, v_result);
  -- An event that waited for this one may have confirmed the referral, or a refund or its withdrawal may have turned it.
  return v_result || coalesce((
    select jsonb_build_object('verdict', case
             when r.reversed_at is not null then 'reversed' when v_referral.reversed_at is not null then 'restored' else 'confirmed' end)
      from referrals r
     where r.app_id = p_app and r.id = v_referral.id
       and (r.status, r.reversed_at is null) <> (v_referral.status, v_referral.reversed_at is null)), '{}');
end $$;
