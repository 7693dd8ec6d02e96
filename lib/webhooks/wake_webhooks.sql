-- Queues up to p_limit deliveries of an endpoint for which nobody came: held back while it was slow, busy or off, or
-- whose sender died. Only the first of each lane; the others follow it, and are not looked at a second time: whoever
-- looked for firsts among 100,000 of them took 4 s.
create or replace function wake_webhooks(p_app uuid, p_endpoint uuid, p_limit int, p_grace float8) returns int
language plpgsql as $$
declare
  v_one record;
  v_first boolean;
  v_woken int := 0;
begin
  perform 1 from webhook_endpoints
   where app_id = p_app and id = p_endpoint and enabled and (slowed_until is null or slowed_until <= now());
  if not found then
    return 0;
  end if;
  for v_one in
    select id, lane, place, greatest(due_at, now()) as at from webhook_deliveries
     where app_id = p_app and endpoint_id = p_endpoint and status in ('pending', 'failed') and wake_at <= now()
     order by wake_at limit 10 + 10 * p_limit for update skip locked
  loop
    exit when v_woken = p_limit;
    v_first := not exists (
      select 1 from webhook_deliveries
       where app_id = p_app and endpoint_id = p_endpoint and lane = v_one.lane and place < v_one.place
         and status in ('pending', 'failed'));
    update webhook_deliveries
       set wake_at = case when v_first then v_one.at + make_interval(secs => p_grace) else 'infinity' end
     where app_id = p_app and id = v_one.id;
    if v_first then
      perform queue_webhook(p_app, v_one.id, v_one.at);
      v_woken := v_woken + 1;
    end if;
  end loop;
  return v_woken;
end $$;

-- The same for every endpoint of an app.
create or replace function wake_app_webhooks(p_app uuid, p_limit int, p_grace float8) returns int
language plpgsql as $$
declare
  v_endpoint uuid;
  v_woken int := 0;
begin
  for v_endpoint in select id from webhook_endpoints where app_id = p_app and enabled loop
    v_woken := v_woken + wake_webhooks(p_app, v_endpoint, p_limit, p_grace);
  end loop;
  return v_woken;
end $$;
