-- A success ends a spell of failures. The row of a healthy endpoint is not touched: all its deliveries would wait for it.
create or replace function note_webhook_success(p_app uuid, p_endpoint uuid) returns void language plpgsql as $$
begin
  update webhook_endpoints set failures = 0, failing_since = null, slowed_until = null, warned_at = null
   where app_id = p_app and id = p_endpoint and failing_since is not null;
end $$;

-- Counts a failure of an endpoint, slows it when there were several in a row, and says what its owners must hear:
-- 'warned' once a spell, 'gone' for an answer 410, 'failing' when it was off too long; the last two switch it off.
-- Failures of requests that were under way when it was slowed say nothing new.
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
      if to_regproc('graphile_worker.add_job') is not null then
        perform graphile_worker.add_job('wake_webhooks', json_build_object('app', p_app, 'endpoint', p_endpoint),
          run_at => v_endpoint.slowed_until, job_key => 'wake:' || p_endpoint);
      end if;
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
  return v_news;
end $$;

-- The next of a lane, now that the one before it is done.
create or replace function queue_next_webhook(p_app uuid, p_endpoint uuid, p_lane text, p_grace float8) returns void
language plpgsql as $$
declare
  v_id uuid;
  v_at timestamptz;
begin
  select id, greatest(due_at, now()) into v_id, v_at from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and lane = p_lane and status in ('pending', 'failed')
   order by place limit 1;
  if found then
    update webhook_deliveries set wake_at = v_at + make_interval(secs => p_grace) where app_id = p_app and id = v_id;
    perform queue_webhook(p_app, v_id, v_at);
  end if;
end $$;

-- Writes down what came of an attempt and queues what follows: the next attempt by the schedule, the next of the lane,
-- and some of those that were held back. All or nothing, so a sender that dies before this has not attempted anything,
-- and one that dies after it has left nothing to do. Returns {"status", "news", "endpoint"}.
--
-- Who took longer than the lease may have been followed by another; then only a success of the former still counts.
create or replace function finish_webhook(p_app uuid, p_id uuid, p_takes int, p_attempt jsonb, p_rules jsonb)
returns jsonb language plpgsql as $$
declare
  v_grace float8 := p_rules ->> 'grace';
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
         delivered_at = case when v_ok then now() end, due_at = v_delivery.due_at,
         wake_at = v_delivery.due_at + make_interval(secs => v_grace)
   where app_id = p_app and id = p_id;
  if v_ok then
    perform note_webhook_success(p_app, v_delivery.endpoint_id);
  else
    v_news := note_webhook_failure(p_app, v_delivery.endpoint_id, v_code, p_rules);
  end if;
  if v_delivery.status = 'failed' then
    perform queue_webhook(p_app, p_id, v_delivery.due_at);
  else
    perform queue_next_webhook(p_app, v_delivery.endpoint_id, v_delivery.lane, v_grace);
  end if;
  -- Two for each success: an endpoint that is back is soon as fast as before.
  perform wake_webhooks(p_app, v_delivery.endpoint_id, case when v_ok then 2 else 1 end, v_grace);
  return jsonb_build_object('status', v_delivery.status, 'news', v_news, 'endpoint', v_delivery.endpoint_id);
end $$;
