-- Adds a delivery for every enabled endpoint subscribed to the event; its payload names the referrer by metacode and user
-- id. One statement, because it runs in the transaction of the change; an app without endpoints costs one index look-up.
create or replace function add_deliveries(p_app uuid, p_event uuid, p_type text, p_payload jsonb) returns void
language plpgsql set enable_sort = off as $$
declare
  -- Events of one referral, referrer, pool or campaign share a lane and are sent in order. Any other event has its own
  -- lane and never waits.
  v_lane text := coalesce(
    p_payload ->> 'referral_id', p_payload ->> 'referrer_id', p_payload ->> 'pool_id', p_payload ->> 'campaign_id',
    p_event::text);
begin
  -- The place is the time in microseconds, but always behind the waiting events: two events can share a microsecond, and
  -- clocks are set back.
  insert into webhook_deliveries
    (app_id, id, endpoint_id, event_id, event_type, payload, lane, place, status, due_at, wake_at)
  select p_app, new_id(), e.id, p_event, p_type, coalesce((
           select case when p_payload ? 'uid' then jsonb_build_object('metacode', r.slug)
                       else jsonb_build_object('metacode', r.slug, 'referrer_uid', r.uid) end || p_payload
             from referrers r where r.app_id = p_app and r.id = (p_payload ->> 'referrer_id')::uuid), p_payload),
         v_lane, greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, 1 + (
           select d.place from webhook_deliveries d
            where d.app_id = p_app and d.endpoint_id = e.id and d.lane = v_lane and d.status in ('pending', 'failed')
            order by d.place desc limit 1)),
         'pending', now(), now()
    from webhook_endpoints e
   where e.app_id = p_app and e.enabled and p_type = any(e.events)
   order by e.id;
end $$;
