-- Queues up to p_limit deliveries of an endpoint for which nobody came: held back while it was slow or busy, or whose
-- sender died. Only the first of each lane; the others follow it.
create or replace function wake_webhooks(p_app uuid, p_endpoint uuid, p_limit int, p_grace float8) returns int
language plpgsql as $$
declare
  v_one record;
  v_woken int := 0;
begin
  perform 1 from webhook_endpoints
   where app_id = p_app and id = p_endpoint and enabled and (slowed_until is null or slowed_until <= now());
  if not found then
    return 0;
  end if;
  for v_one in
    with late as materialized (
      select d.id from webhook_deliveries d
       where d.app_id = p_app and d.endpoint_id = p_endpoint and d.status in ('pending', 'failed')
         and d.wake_at <= now()
         and not exists (
           select 1 from webhook_deliveries before
            where before.app_id = p_app and before.endpoint_id = p_endpoint and before.lane = d.lane
              and before.place < d.place and before.status in ('pending', 'failed'))
       order by d.wake_at limit p_limit for update of d skip locked)
    update webhook_deliveries w set wake_at = greatest(w.due_at, now()) + make_interval(secs => p_grace)
      from late where w.app_id = p_app and w.id = late.id
    returning w.id, greatest(w.due_at, now()) as at
  loop
    perform queue_webhook(p_app, v_one.id, v_one.at);
    v_woken := v_woken + 1;
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

-- What waited while an endpoint was off is late from now on; a round or the next delivery queues it. Some at once.
create or replace function release_webhooks(p_app uuid, p_endpoint uuid) returns int language plpgsql as $$
begin
  update webhook_deliveries set wake_at = now()
   where app_id = p_app and endpoint_id = p_endpoint and status in ('pending', 'failed') and wake_at = 'infinity';
  return wake_webhooks(p_app, p_endpoint, 2, 60);
end $$;
