-- Takes up to p_units requests from the workspace's month (UTC). The row lock makes the count exact under any number
-- of parallel requests and processes. Returns {"granted", "remaining", "reset"} with reset in Unix seconds.
create or replace function take_quota(p_app uuid, p_workspace uuid, p_limit bigint, p_units int)
returns jsonb language plpgsql as $$
declare
  v_month date := date_trunc('month', now() at time zone 'utc');
  v_used bigint;
  v_alerted bigint;
  v_threshold bigint;
  v_granted bigint;
  v_percent int;
begin
  select used, alerted into v_used, v_alerted from quota_usage where workspace_id = p_workspace and month = v_month for update;
  if not found then
    insert into quota_usage (workspace_id, month, used) values (p_workspace, v_month, 0) on conflict do nothing;
    select used, alerted into v_used, v_alerted from quota_usage where workspace_id = p_workspace and month = v_month for update;
  end if;
  v_granted := greatest(least(p_units, p_limit - v_used), 0);
  -- After a change to a smaller plan v_alerted exceeds the limit: the thresholds are crossed again, even if nothing is granted.
  if v_granted > 0 or v_used >= p_limit and v_alerted <> p_limit then
    -- QUOTA_WARN_PERCENT and 100. The row lock lets exactly one request cross each threshold, once: returned units do not undo it.
    foreach v_percent in array array[80, 100] loop
      v_threshold := ceil(p_limit * v_percent / 100.0);
      if v_used + v_granted >= v_threshold and (v_threshold > v_alerted or v_alerted > p_limit) then
        v_alerted := v_threshold;
        perform emit(p_app, 'quota.warning', jsonb_build_object(
          'workspace_id', p_workspace, 'percent', v_percent, 'limit', p_limit, 'month', v_month));
      end if;
    end loop;
    update quota_usage set used = v_used + v_granted, alerted = v_alerted
     where workspace_id = p_workspace and month = v_month;
  end if;
  return jsonb_build_object(
    'granted', v_granted,
    'remaining', greatest(p_limit - v_used - v_granted, 0),
    'reset', extract(epoch from (v_month + interval '1 month') at time zone 'utc')::bigint);
end $$;
