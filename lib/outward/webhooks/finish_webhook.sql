-- Ends an endpoint's series of failures after a success. A healthy endpoint's row is not touched, because all its
-- deliveries would wait for that lock.
create or replace function note_webhook_success(p_app uuid, p_endpoint uuid) returns void language plpgsql as $$
begin
  update webhook_endpoints set failures = 0, failing_since = null, slowed_until = null, warned_at = null
   where app_id = p_app and id = p_endpoint and failing_since is not null;
end $$;

-- Counts a failure of an endpoint, slows the endpoint after several in a row, and returns the news for its owners:
-- 'warned' once per series, 'gone' for an answer 410, 'failing' after failing too long; the last two disable it.
-- Failures of requests already under way when it was slowed are not counted.
create or replace function note_webhook_failure(p_app uuid, p_endpoint uuid, p_status int, p_rules jsonb) returns text
language plpgsql as $$
declare
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
         warned_at = case when v_news = 'warned' then now() else warned_at end,
         enabled = coalesce(v_news = 'warned', true),
         disabled_reason = case when v_news in ('gone', 'failing') then v_news end,
         disabled_at = case when v_news in ('gone', 'failing') then now() end
   where app_id = p_app and id = p_endpoint;
  -- The delivery that tries the endpoint next.
  perform wake_webhooks(p_app, p_endpoint, 1, greatest(now(), v_endpoint.slowed_until));
  return v_news;
end $$;

-- Wakes the next delivery of a lane after the previous one has ended.
create or replace function wake_next_webhook(p_app uuid, p_endpoint uuid, p_lane text) returns void
language plpgsql as $$
declare
  v_next webhook_deliveries;
begin
  select * into v_next from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and lane = p_lane and status in ('pending', 'failed')
   order by place limit 1;
  if found then
    update webhook_deliveries set wake_at = greatest(due_at, now()), parked_at = null
     where app_id = p_app and id = v_next.id and status in ('pending', 'failed')
       and coalesce(leased_until <= now(), true);
  end if;
end $$;

-- Stores the result of an attempt and wakes its successors: the next attempt by the schedule, the next delivery of the
-- lane, and some parked deliveries. All or nothing, so a worker that dies before this has attempted nothing, and one
-- that dies after it has left nothing to do. Returns {"status", "news", "endpoint"}.
--
-- After the end of its lease a worker may have been overtaken by another; then only its success still counts.
create or replace function finish_webhook(p_app uuid, p_id uuid, p_takes int, p_attempt jsonb, p_rules jsonb)
returns jsonb language plpgsql as $$
declare
  v_code int := p_attempt ->> 'status';
  v_ok boolean := coalesce(v_code between 200 and 299, false);
  v_delivery webhook_deliveries;
  v_wait float8;
  v_news text;
begin
  select * into v_delivery from webhook_deliveries
   where app_id = p_app and id = p_id and status in ('pending', 'failed') and (takes = p_takes or v_ok) for update;
  if not found then
    return '{"status": "stale"}';
  end if;
  insert into webhook_attempts (app_id, delivery_id, number, ms, request_headers, response_status, response_headers,
    response_body, error)
  values (p_app, p_id, v_delivery.attempts + 1, (p_attempt ->> 'ms')::int, p_attempt -> 'request_headers', v_code,
    p_attempt -> 'headers', p_attempt ->> 'body', p_attempt ->> 'error');
  v_wait := p_rules -> 'waits' ->> v_delivery.attempts + 1 - v_delivery.spent;
  v_delivery.status := case when v_ok then 'delivered' when v_wait is null then 'dead' else 'failed' end;
  v_delivery.due_at := case when v_delivery.status = 'failed' then now() + make_interval(secs => v_wait) end;
  update webhook_deliveries
     set status = v_delivery.status, attempts = attempts + 1, response_status = v_code, leased_until = null,
         delivered_at = case when v_ok then now() end, due_at = v_delivery.due_at, wake_at = v_delivery.due_at,
         parked_at = null
   where app_id = p_app and id = p_id;
  if v_ok then
    perform note_webhook_success(p_app, v_delivery.endpoint_id);
  else
    v_news := note_webhook_failure(p_app, v_delivery.endpoint_id, v_code, p_rules);
  end if;
  if v_delivery.status <> 'failed' then
    perform wake_next_webhook(p_app, v_delivery.endpoint_id, v_delivery.lane);
  end if;
  if v_ok then
    -- Two per success, so that a recovered endpoint is soon as fast as before.
    perform wake_webhooks(p_app, v_delivery.endpoint_id, 2, now());
  end if;
  return jsonb_build_object('status', v_delivery.status, 'news', v_news, 'endpoint', v_delivery.endpoint_id);
end $$;

-- Stores the results of several successful attempts: [{"app", "id", "takes", "attempt"}]. Returns their outcomes in the
-- same order.
create or replace function finish_webhooks(p_results jsonb, p_rules jsonb) returns jsonb
language plpgsql as $$
declare
  v_result jsonb;
  v_outcomes jsonb := '[]';
begin
  for v_result in select value from jsonb_array_elements(p_results) loop
    v_outcomes := v_outcomes || finish_webhook((v_result ->> 'app')::uuid, (v_result ->> 'id')::uuid,
      (v_result ->> 'takes')::int, v_result -> 'attempt', p_rules);
  end loop;
  return v_outcomes;
end $$;
