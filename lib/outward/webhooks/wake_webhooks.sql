-- Makes up to p_limit parked deliveries of an endpoint due at p_at (now if null). After that each finished
-- attempt wakes more. Until p_at they stay parked, so they may be woken earlier.
create or replace function wake_webhooks(p_app uuid, p_endpoint uuid, p_limit int, p_at timestamptz) returns int
language plpgsql set enable_sort = off as $$
declare
  v_now timestamptz := now();
  v_woken int;
begin
  update webhook_deliveries set wake_at = coalesce(p_at, v_now), parked_at = case when p_at > v_now then parked_at end
   where app_id = p_app and id = any(array(
     select id from webhook_deliveries
      where app_id = p_app and endpoint_id = p_endpoint and parked_at is not null
      order by parked_at limit p_limit for update skip locked));
  get diagnostics v_woken = row_count;
  return v_woken;
end $$;

-- Ends the pause of a slowed endpoint and makes its failed deliveries due: some at once, the others as those
-- succeed. Returns how many are tried.
create or replace function try_webhooks_now(p_app uuid, p_endpoint uuid, p_limit int) returns int
language plpgsql as $$
declare
  v_now timestamptz := now();
  v_woken int;
begin
  update webhook_endpoints set slowed_until = case when slowed_until is not null then v_now end
   where app_id = p_app and id = p_endpoint;
  update webhook_deliveries set due_at = now(), wake_at = now(), parked_at = null
   where app_id = p_app and id = any(array(
     select id from webhook_deliveries
      where app_id = p_app and endpoint_id = p_endpoint and status = 'failed' and due_at > now()
        and coalesce(leased_until <= v_now, true)
      order by id limit p_limit for update skip locked));
  get diagnostics v_woken = row_count;
  return v_woken + wake_webhooks(p_app, p_endpoint, 1, now());
end $$;
