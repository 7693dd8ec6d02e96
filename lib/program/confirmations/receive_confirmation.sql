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

-- Links an unmatched event to an end user by hand and applies it as if it had named only that id. p_platform: the store of the
-- purchase where the payload names one. A referral of the other store, or one that began after the event, is a misfit:
-- nothing is changed. p_referral: the only one of that end user, who may have several, that it may change.
create or replace function link_confirmation(
  p_app uuid, p_id uuid, p_uid text, p_platform text default null, p_referral uuid default null)
returns jsonb language plpgsql as $$
declare
  v_event provider_events;
  v_uids text[];
  v_result jsonb;
begin
  select * into v_event from provider_events
   where app_id = p_app and id = p_id and verdict = 'unmatched' for update;
  if not found then
    return '{"verdict": "not_found"}';
  end if;
  v_uids := v_event.uids;
  v_event.uids := array[p_uid];
  if p_referral is not null then
    v_event.confirmation := v_event.confirmation || jsonb_build_object('referral', p_referral);
  end if;
  begin
    v_result := apply_single_event(p_app, v_event, true, true);
    if exists (
      select 1 from referrals
       where app_id = p_app and id = (v_result ->> 'referral_id')::uuid
         and (platform <> p_platform or created_at > event_time(v_event) or id <> p_referral)) then
      raise exception 'misfit' using errcode = 'MC422';
    end if;
  exception when sqlstate 'MC422' then
    return '{"verdict": "misfit"}';
  end;
  update provider_events set matched_by = matched_by || '{"hand": true}'
   where app_id = p_app and id = p_id and referral_id is not null;
  if (v_result ->> 'moved')::boolean then
    perform apply_waiting(p_app, v_uids || p_uid, v_event.purchase_id, array['reverse', 'restore']);
  end if;
  return v_result;
end $$;
