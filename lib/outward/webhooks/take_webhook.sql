-- Stores when a delivery that cannot be sent now is checked again, and returns the reason.
create or replace function postpone_webhook(p_app uuid, p_id uuid, p_until timestamptz, p_state text) returns jsonb
language plpgsql as $$
begin
  update webhook_deliveries set wake_at = p_until, parked_at = null
   where app_id = p_app and id = any(array(
     select id from webhook_deliveries
      where app_id = p_app and id = p_id and status in ('pending', 'failed') for update skip locked));
  return jsonb_build_object('state', p_state);
end $$;

-- The time at which an unwoken delivery is checked, spread so that a backlog does not come up all at once.
create or replace function unwoken_webhook_at() returns timestamptz language plpgsql volatile as $$
begin
  return now() + interval '5 minutes' + random() * interval '25 minutes';
end $$;

-- Parks up to p_limit due deliveries of an endpoint that is off, slowed or busy. wake_webhooks wakes them, a few at
-- a time. One of them is checked by p_again in any case, because the attempt that would have woken them may have
-- ended before they were parked.
create or replace function park_webhooks(p_app uuid, p_endpoint uuid, p_again timestamptz, p_limit int) returns int
language plpgsql as $$
declare
  v_parked int;
begin
  update webhook_deliveries set parked_at = clock_timestamp(), wake_at = unwoken_webhook_at()
   where app_id = p_app and id = any(array(
     select id from webhook_deliveries
      where app_id = p_app and endpoint_id = p_endpoint and status in ('pending', 'failed') and wake_at <= now()
        and coalesce(leased_until <= now(), true)
      order by wake_at limit p_limit for update skip locked));
  get diagnostics v_parked = row_count;
  perform 1 from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and status in ('pending', 'failed')
     and wake_at > now() and wake_at <= p_again and leased_until is null;
  if not found then
    perform wake_webhooks(p_app, p_endpoint, 1, p_again);
  end if;
  return v_parked;
end $$;

-- Leases a delivery to the calling worker, or returns why it cannot be sent now: an earlier one of its lane is open, its
-- next attempt is not due, the endpoint is disabled or slowed, or enough requests to it are under way. A slowed endpoint
-- gets one delivery at a time until it accepts one.
--
-- The lock is on the first of the lane, not on the delivery: finish_webhook of that first one has either committed, or
-- finds this one when it looks for the next. So none is left behind. It never waits for a lock: a batch that waited in
-- the middle could deadlock.
create or replace function take_webhook(p_app uuid, p_id uuid, p_rules jsonb) returns jsonb language plpgsql as $$
declare
  v_requested webhook_deliveries;
  v_first webhook_deliveries;
  v_endpoint webhook_endpoints;
  v_parallel int;
begin
  select * into v_requested from webhook_deliveries where app_id = p_app and id = p_id;
  select * into v_first from webhook_deliveries
   where app_id = p_app and endpoint_id = v_requested.endpoint_id and lane = v_requested.lane
     and place <= v_requested.place and status in ('pending', 'failed')
   order by place limit 1;
  if not found then
    return '{"state": "done"}';
  end if;
  select * into v_first from webhook_deliveries
   where app_id = p_app and id = v_first.id and status in ('pending', 'failed') for update skip locked;
  if not found then
    return '{"state": "taken by another"}';
  end if;
  if v_first.id <> p_id then
    -- Passes the wake-up on: to the first of the lane if it was parked, else to another delivery of the endpoint.
    if v_first.parked_at is not null then
      perform postpone_webhook(p_app, v_first.id, now(), 'woken');
    elsif v_first.due_at > now() then
      perform wake_webhooks(p_app, v_first.endpoint_id, 1, now());
    end if;
    return postpone_webhook(p_app, p_id, greatest(v_first.due_at, unwoken_webhook_at()), 'blocked');
  end if;
  if v_first.leased_until > now() then
    return postpone_webhook(p_app, p_id, v_first.leased_until, 'taken by another');
  end if;
  if v_first.due_at > now() then
    return postpone_webhook(p_app, p_id, v_first.due_at, 'early');
  end if;
  select * into v_endpoint from webhook_endpoints where app_id = p_app and id = v_first.endpoint_id and enabled;
  if not found then
    return jsonb_build_object('state', 'off', 'again', now() + interval '1 minute');
  end if;
  if v_endpoint.slowed_until > now() then
    return jsonb_build_object('state', 'held', 'again', least(v_endpoint.slowed_until, now() + interval '10 seconds'));
  end if;
  v_parallel := case when v_endpoint.slowed_until is null then p_rules ->> 'parallel' else '1' end;
  if v_parallel <= (
    select count(*) from webhook_deliveries
     where app_id = p_app and endpoint_id = v_endpoint.id and leased_until is not null and leased_until > now()) then
    return jsonb_build_object('state', 'busy', 'again', now() + interval '1 second');
  end if;
  v_first.leased_until := now() + make_interval(secs => (p_rules ->> 'lease')::float8);
  update webhook_deliveries
     set leased_until = v_first.leased_until, wake_at = v_first.leased_until, parked_at = null, takes = takes + 1
   where app_id = p_app and id = p_id;
  return jsonb_build_object(
    'state', 'taken', 'app', p_app, 'id', p_id, 'takes', v_first.takes + 1, 'event', v_first.event_id,
    'type', v_first.event_type, 'payload', v_first.payload, 'created_at', v_first.created_at, 'url', v_endpoint.url,
    'endpoint', v_endpoint.id, 'secret', v_endpoint.secret,
    'former_secret', case when v_endpoint.former_until > now() then v_endpoint.former_secret end);
end $$;

-- Leases up to p_limit deliveries of any app, longest waiting first. Deliveries that cannot be sent now are parked,
-- so that they do not come up at each poll: all rows of an endpoint that is off, slow or busy at once, so that
-- 100,000 of them do not delay another endpoint.
create or replace function take_webhooks(p_limit int, p_rules jsonb) returns jsonb language plpgsql as $$
declare
  v_delivery record;
  v_outcome jsonb;
  v_full uuid[] := '{}';
  v_taken jsonb := '[]';
  -- Rows that one poll parks: far fewer than a statement has time for.
  v_capacity int := 2000;
begin
  for v_delivery in
    select app_id, id, endpoint_id from webhook_deliveries
     where status in ('pending', 'failed') and wake_at <= now()
     order by wake_at limit 20 + 4 * p_limit
  loop
    exit when jsonb_array_length(v_taken) >= p_limit or v_capacity <= 0;
    continue when v_delivery.endpoint_id = any(v_full);
    v_outcome := take_webhook(v_delivery.app_id, v_delivery.id, p_rules);
    if v_outcome ->> 'state' = 'taken' then
      v_taken := v_taken || v_outcome;
    elsif v_outcome ->> 'state' in ('off', 'held', 'busy') then
      v_capacity := v_capacity - park_webhooks(v_delivery.app_id, v_delivery.endpoint_id,
        (v_outcome ->> 'again')::timestamptz, v_capacity);
      v_full := v_full || v_delivery.endpoint_id;
    end if;
  end loop;
  return v_taken;
end $$;
