-- Ends an endpoint's series of failures after a success and adds its length to busy_since: time spent failing is not
-- time spent busy. Leaves the row of a healthy endpoint alone: all its deliveries would wait for that lock.
create or replace function note_webhook_success(p_app uuid, p_endpoint uuid) returns void language plpgsql as $$
declare
  v_now timestamptz := now();
begin
  update webhook_endpoints set failures = 0, failing_since = null, slowed_until = null, warned_at = null,
         busy_since = (busy_since at time zone 'UTC' + (v_now - greatest(failing_since, busy_since))) at time zone 'UTC'
   where app_id = p_app and id = p_endpoint and failing_since is not null;
end $$;

-- Clears busy_since if the endpoint is off, or if nothing is parked and nothing due has waited for p_late seconds. Not part
-- of finish_webhooks, because it may wait for the row; repeated every minute.
create or replace function end_busy_webhooks(p_app uuid, p_endpoint uuid, p_late float8) returns boolean
language plpgsql set enable_sort = off as $$
declare
  v_before timestamptz := now() - make_interval(secs => p_late);
  v_waiting boolean;
begin
  perform 1 from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and parked_at is not null order by parked_at limit 1;
  v_waiting := found;
  if not v_waiting then
    perform 1 from webhook_deliveries
     where app_id = p_app and endpoint_id = p_endpoint and status not in ('delivered', 'dead') and wake_at <= v_before
     order by wake_at limit 1;
    v_waiting := found;
  end if;
  update webhook_endpoints set busy_since = null where app_id = p_app and id = p_endpoint and not (enabled and v_waiting);
  return found;
end $$;

-- Counts a failure of an endpoint, slows the endpoint after several in a row, and returns the news for its owners:
-- 'warned' once per series, 'gone' for an answer 410, 'failing' after failing too long; the last two disable it.
-- Failures of requests already under way when it was slowed are not counted.
create or replace function note_webhook_failure(p_app uuid, p_endpoint uuid, p_status int, p_rules jsonb) returns text
language plpgsql as $$
declare
  v_now timestamptz := now();
  v_endpoint webhook_endpoints;
  v_over int;
  v_news text;
begin
  select * into v_endpoint from webhook_endpoints where app_id = p_app and id = p_endpoint and enabled for update;
  if not found then
    return null;
  end if;
  v_endpoint.failing_since := coalesce(v_endpoint.failing_since, now());
  if coalesce(v_endpoint.slowed_until <= now(), true) then
    v_endpoint.failures := v_endpoint.failures + 1;
    v_over := v_endpoint.failures - (p_rules ->> 'slow_after')::int;
    if v_over >= 0 then
      v_endpoint.slowed_until := now() + make_interval(secs => least(
        (p_rules ->> 'slow_most')::float8, (p_rules ->> 'slow_first')::float8 * 2 ^ least(v_over, 20)));
    end if;
  end if;
  v_news := case
    when p_status = 410 then 'gone'
    when v_endpoint.failing_since < now() - make_interval(secs => (p_rules ->> 'disable_after')::float8)
      and v_endpoint.warned_at is not null then 'failing'
    when v_endpoint.failing_since < now() - make_interval(secs => (p_rules ->> 'warn_after')::float8)
      and v_endpoint.warned_at is null then 'warned' end;
  update webhook_endpoints
     set failures = v_endpoint.failures, failing_since = v_endpoint.failing_since,
         slowed_until = v_endpoint.slowed_until,
         warned_at = case when v_news = 'warned' then v_now else warned_at end,
         enabled = coalesce(v_news = 'warned', true),
         disabled_reason = case when v_news in ('gone', 'failing') then v_news end,
         disabled_at = case when v_news in ('gone', 'failing') then v_now end
   where app_id = p_app and id = p_endpoint;
  -- The delivery that tries the endpoint next.
  perform wake_webhooks(p_app, p_endpoint, 1, greatest(now(), v_endpoint.slowed_until));
  return v_news;
end $$;

-- Wakes the next open delivery of each lane in which a delivery has ended. The three lists have the same length.
create or replace function wake_next_webhooks(p_apps uuid[], p_endpoints uuid[], p_lanes text[]) returns void
language plpgsql set enable_sort = off as $$
declare
  v_now timestamptz := now();
  v_app uuid;
  v_id uuid;
begin
  for v_app in select distinct a.id from unnest(p_apps) a (id) order by a.id loop
    for v_id in
      select n.id from unnest(p_apps, p_endpoints, p_lanes) ended (app_id, endpoint_id, lane)
       cross join lateral (
         select d.id from webhook_deliveries d
          where d.app_id = v_app and d.endpoint_id = ended.endpoint_id and d.lane = ended.lane
            and d.status in ('pending', 'failed')
          order by d.place limit 1) n
       where ended.app_id = v_app
       order by n.id
    loop
      update webhook_deliveries set wake_at = greatest(due_at, v_now), parked_at = null
       where app_id = v_app and id = v_id and status not in ('delivered', 'dead')
         and coalesce(leased_until <= v_now, true);
    end loop;
  end loop;
end $$;

-- Stores the result of a failed attempt and wakes what follows: the next attempt by the schedule, or the next delivery of the
-- lane if this one is given up. Atomic: a worker that dies leaves nothing half done. Returns {"status", "news", "endpoint",
-- "closed"}; "closed" means that nothing may be sent to the endpoint for now.
create or replace function finish_webhook(p_app uuid, p_id uuid, p_takes int, p_attempt jsonb, p_rules jsonb)
returns jsonb language plpgsql as $$
declare
  v_code int := p_attempt ->> 'status';
  v_delivery webhook_deliveries;
  v_wait float8;
  v_news text;
begin
  -- Once the lease has ended, another worker may have taken the delivery. Then this failure does not count.
  select * into v_delivery from webhook_deliveries
   where app_id = p_app and id = p_id and status not in ('delivered', 'dead') and takes = p_takes
     and leased_until is not null for update;
  if not found then
    return '{"status": "stale"}';
  end if;
  insert into webhook_attempts (app_id, delivery_id, number, ms, request_headers, response_status, response_headers,
    response_body, error)
  values (p_app, p_id, v_delivery.attempts + 1, (p_attempt ->> 'ms')::int, p_attempt -> 'request_headers', v_code,
    p_attempt -> 'headers', p_attempt ->> 'body', p_attempt ->> 'error');
  v_wait := p_rules -> 'waits' ->> v_delivery.attempts + 1 - v_delivery.spent;
  v_delivery.status := case when v_wait is null then 'dead' else 'failed' end;
  v_delivery.due_at := now() + make_interval(secs => v_wait);
  update webhook_deliveries
     set status = v_delivery.status, attempts = attempts + 1, response_status = v_code, leased_until = null,
         due_at = v_delivery.due_at, wake_at = v_delivery.due_at, parked_at = null
   where app_id = p_app and id = p_id;
  v_news := note_webhook_failure(p_app, v_delivery.endpoint_id, v_code, p_rules);
  if v_delivery.status = 'dead' then
    perform wake_next_webhooks(array[p_app], array[v_delivery.endpoint_id], array[v_delivery.lane]);
  end if;
  return jsonb_build_object('status', v_delivery.status, 'news', v_news, 'endpoint', v_delivery.endpoint_id,
    'closed', not exists (
      select 1 from webhook_endpoints
       where app_id = p_app and id = v_delivery.endpoint_id and enabled and slowed_until is null));
end $$;

-- Stores the results of successful attempts, [{"app", "id", "takes", "attempt"}], and wakes the next deliveries of their
-- lanes and some parked ones of their endpoints. Returns their outcomes in the same order. A success counts even if another
-- worker has taken the delivery since; two successes of one delivery count once.
create or replace function finish_webhooks(p_results jsonb) returns jsonb
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_group record;
  v_delivery record;
  v_ids uuid[];
  v_numbers int[];
  v_takes int[];
  v_apps uuid[];
  v_endpoints uuid[];
  v_lanes text[];
  v_endpoint record;
begin
  -- If a crash of the server loses an outcome, its delivery is sent again with the same webhook-id.
  perform set_config('synchronous_commit', 'off', true);
  -- One statement, by key, for all results of an app with the same status.
  for v_group in
    select r.app, (r.attempt ->> 'status')::int as status, array_agg(r.id) as ids
      from jsonb_to_recordset(p_results) r (app uuid, id uuid, attempt jsonb)
     group by 1, 2 order by 1, 2
  loop
    for v_delivery in
      update webhook_deliveries
         set status = 'delivered', attempts = attempts + 1, response_status = v_group.status,
             leased_until = null, delivered_at = now(), due_at = null, wake_at = null, parked_at = null
       where app_id = v_group.app and id = any(v_group.ids) and status not in ('delivered', 'dead')
      returning id, endpoint_id, lane, attempts, takes
    loop
      v_ids := v_ids || v_delivery.id;
      v_numbers := v_numbers || v_delivery.attempts;
      v_takes := v_takes || v_delivery.takes;
      v_apps := v_apps || v_group.app;
      v_endpoints := v_endpoints || v_delivery.endpoint_id;
      v_lanes := v_lanes || v_delivery.lane;
    end loop;
  end loop;
  -- Stores the answer only if neither a worker nor an erasure has changed `takes`: the answer may repeat what was sent.
  insert into webhook_attempts (app_id, delivery_id, number, ms, request_headers, response_status, response_headers,
    response_body, error)
  select distinct on (d.id) r.app, r.id, d.number, (r.attempt ->> 'ms')::int, r.attempt -> 'request_headers',
         (r.attempt ->> 'status')::int, case when r.takes = d.takes then r.attempt -> 'headers' end,
         case when r.takes = d.takes then r.attempt ->> 'body' end, r.attempt ->> 'error'
    from unnest(v_ids, v_numbers, v_takes) d (id, number, takes)
    join jsonb_to_recordset(p_results) r (app uuid, id uuid, takes int, attempt jsonb) on r.id = d.id
   order by d.id, (r.attempt ->> 'status')::int;
  perform wake_next_webhooks(v_apps, v_endpoints, v_lanes);
  for v_endpoint in
    select e.app_id, e.id, count(*)::int as successes from unnest(v_apps, v_endpoints) e (app_id, id)
     group by e.app_id, e.id order by e.app_id, e.id
  loop
    perform note_webhook_success(v_endpoint.app_id, v_endpoint.id);
    -- Two per success, so that a recovered endpoint is soon as fast as before.
    perform wake_webhooks(v_endpoint.app_id, v_endpoint.id, 2 * v_endpoint.successes, now());
  end loop;
  return (
    select jsonb_agg(jsonb_build_object('status',
             case when (r.value ->> 'id')::uuid = any(v_ids) then 'delivered' else 'stale' end) order by r.n)
      from jsonb_array_elements(p_results) with ordinality r (value, n));
end $$;

-- Ends the leases of deliveries that were taken and not sent, so they can be taken again at once, test events first. The
-- lists have the same length.
create or replace function return_webhooks(p_apps uuid[], p_ids uuid[], p_takes int[]) returns void language plpgsql as $$
declare
  v_returned record;
  v_first timestamptz;
begin
  for n in 1 .. cardinality(p_ids) loop
    update webhook_deliveries set leased_until = null, wake_at = now()
     where app_id = p_apps[n] and id = p_ids[n] and takes = p_takes[n] and leased_until is not null
       and status not in ('delivered', 'dead')
    returning endpoint_id, event_type into v_returned;
    if v_returned.event_type = 'webhook.test' then
      v_first := first_webhook_at(p_apps[n], v_returned.endpoint_id);
      update webhook_deliveries set wake_at = v_first
       where app_id = p_apps[n] and id = p_ids[n] and status not in ('delivered', 'dead');
    end if;
  end loop;
end $$;
