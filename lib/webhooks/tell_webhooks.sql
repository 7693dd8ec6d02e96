-- Has a worker look at a delivery at a moment, once: the key replaces a job that nobody has begun, so that a round which
-- looks after late ones does not pile up more. Without the job library's tables nobody comes; the row waits.
create or replace function queue_webhook(p_app uuid, p_delivery uuid, p_at timestamptz) returns void
language plpgsql as $$
begin
  if to_regproc('graphile_worker.add_job') is not null then
    perform graphile_worker.add_job(
      'deliver_webhook', json_build_object('app', p_app, 'delivery', p_delivery), run_at => p_at,
      job_key => 'delivery:' || p_delivery);
  end if;
end $$;

-- An event for one endpoint, at the end of its lane. Its place is the microsecond, but never before one that waits:
-- two events of one referral can fall into one moment, and clocks are set back.
create or replace function add_delivery(p_app uuid, p_endpoint uuid, p_event uuid, p_type text, p_payload jsonb)
returns uuid language plpgsql as $$
declare
  v_id uuid := new_id();
  v_lane text := coalesce(p_payload ->> 'referral_id', p_payload ->> 'referrer_id', p_payload ->> 'pool_id',
    p_payload ->> 'campaign_id', p_type);
  v_place bigint := extract(epoch from clock_timestamp()) * 1000000;
  v_last bigint;
begin
  select place into v_last from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and lane = v_lane and status in ('pending', 'failed')
   order by place desc limit 1;
  insert into webhook_deliveries
    (app_id, id, endpoint_id, event_id, event_type, payload, lane, place, status, due_at, wake_at)
  values (p_app, v_id, p_endpoint, p_event, p_type, p_payload, v_lane, greatest(v_place, v_last + 1), 'pending', now(),
    now() + interval '1 minute');
  perform queue_webhook(p_app, v_id, now());
  return v_id;
end $$;

-- What is told, with the names that the other side knows the referrer by; only endpoints pay for reading them.
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

-- An event for every endpoint that is on and wants it. An app without endpoints pays for one look at an index.
create or replace function tell_webhooks(p_app uuid, p_event uuid, p_type text, p_payload jsonb) returns void
language plpgsql as $$
declare
  v_endpoint uuid;
  v_told jsonb;
begin
  for v_endpoint in
    select id from webhook_endpoints where app_id = p_app and enabled and p_type = any(events) order by id
  loop
    v_told := coalesce(v_told, webhook_payload(p_app, p_payload));
    perform add_delivery(p_app, v_endpoint, p_event, p_type, v_told);
  end loop;
end $$;
