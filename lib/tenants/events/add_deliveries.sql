-- Adds an event for one endpoint at the end of its lane: the events of one referral, referrer, pool or campaign. An
-- event about none of them, such as a test, has its own lane and never waits. Its place is the microsecond, but
-- always behind the waiting events: two events can share a microsecond, and clocks are set back.
create or replace function add_delivery(p_app uuid, p_endpoint uuid, p_event uuid, p_type text, p_payload jsonb)
returns uuid language plpgsql as $$
declare
  v_id uuid := new_id();
  v_lane text := coalesce(p_payload ->> 'referral_id', p_payload ->> 'referrer_id', p_payload ->> 'pool_id',
    p_payload ->> 'campaign_id', p_event::text);
  v_place bigint := extract(epoch from clock_timestamp()) * 1000000;
  v_last bigint;
begin
  select place into v_last from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and lane = v_lane and status in ('pending', 'failed')
   order by place desc limit 1;
  insert into webhook_deliveries
    (app_id, id, endpoint_id, event_id, event_type, payload, lane, place, status, due_at, wake_at)
  values (p_app, v_id, p_endpoint, p_event, p_type, p_payload, v_lane, greatest(v_place, v_last + 1), 'pending', now(),
    now());
  return v_id;
end $$;

-- Adds the names by which the receiver knows the referrer; they are read only if an endpoint is subscribed to the
-- event.
create or replace function webhook_payload(p_app uuid, p_payload jsonb) returns jsonb language plpgsql as $$
declare
  v_names jsonb;
begin
  select jsonb_build_object('metacode', slug) ||
         case when p_payload ? 'uid' then '{}' else jsonb_build_object('referrer_uid', uid) end
    into v_names
    from referrers where app_id = p_app and id = (p_payload ->> 'referrer_id')::uuid;
  return coalesce(v_names, '{}') || p_payload;
end $$;

-- Adds an event for every enabled endpoint subscribed to it. An app without endpoints costs one index look-up.
create or replace function add_deliveries(p_app uuid, p_event uuid, p_type text, p_payload jsonb) returns void
language plpgsql as $$
declare
  v_endpoint uuid;
  v_payload jsonb;
begin
  for v_endpoint in
    select id from webhook_endpoints where app_id = p_app and enabled and p_type = any(events) order by id
  loop
    v_payload := coalesce(v_payload, webhook_payload(p_app, p_payload));
    perform add_delivery(p_app, v_endpoint, p_event, p_type, v_payload);
  end loop;
end $$;
