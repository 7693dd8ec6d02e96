-- Makes a delivery due now and restarts its schedule; its id and its place in the lane stay. Returns 'queued',
-- 'waiting' if it is already due or under way, or 'unknown'.
create or replace function resend_webhook(p_app uuid, p_endpoint uuid, p_id uuid) returns text
language plpgsql as $$
declare
  v_delivery webhook_deliveries;
begin
  select * into v_delivery from webhook_deliveries
   where app_id = p_app and id = p_id and endpoint_id = p_endpoint for update;
  if not found then
    return 'unknown';
  end if;
  if v_delivery.status in ('pending', 'failed') and (v_delivery.due_at <= now() or v_delivery.leased_until > now()) then
    return 'waiting';
  end if;
  update webhook_deliveries
     set status = case when status = 'delivered' then 'pending' when status = 'dead' then 'failed' else status end,
         spent = attempts, due_at = now(), wake_at = now(), parked_at = null, delivered_at = null
   where app_id = p_app and id = p_id;
  return 'queued';
end $$;

-- The time at which a test event is due: before all deliveries that wait for the endpoint now.
create or replace function first_webhook_at(p_app uuid, p_endpoint uuid) returns timestamptz language plpgsql as $$
declare
  v_first timestamptz;
begin
  select wake_at - interval '1 microsecond' into v_first from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and wake_at <= now() order by wake_at limit 1;
  return coalesce(v_first, now());
end $$;

-- Adds a test event for one endpoint, regardless of the events it chose, and returns the delivery's id. The test event
-- has its own lane and is due before all deliveries that wait for the endpoint.
create or replace function send_test_webhook(p_app uuid, p_endpoint uuid, p_payload jsonb) returns uuid
language plpgsql as $$
declare
  v_id uuid := new_id();
  v_event uuid := new_id();
  v_first timestamptz := first_webhook_at(p_app, p_endpoint);
begin
  insert into webhook_deliveries
    (app_id, id, endpoint_id, event_id, event_type, payload, lane, place, status, due_at, wake_at)
  values (p_app, v_id, p_endpoint, v_event, 'webhook.test', p_payload, v_event::text, 0, 'pending', now(), v_first);
  return v_id;
end $$;
