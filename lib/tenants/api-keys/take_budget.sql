-- Takes up to p_units of a key's daily budget (UTC) ahead. Returns {"granted", "remaining", "reset"}; reset is the end of the day in
-- Unix seconds. p_owed are requests that passed without a unit or, if negative, units that were not used. They are dropped unless
-- their day, which ends at p_reset, is today.
create or replace function take_budget(
  p_app uuid, p_key uuid, p_limit int, p_owed int, p_units int, p_reset bigint default null)
returns jsonb language plpgsql as $$
declare
  v_day date := (now() at time zone 'utc')::date;
  v_reset bigint := extract(epoch from (v_day + interval '1 day') at time zone 'utc');
  v_owed int := case when coalesce(p_reset = v_reset, true) then p_owed else 0 end;
  v_taken bigint;
  v_granted bigint;
begin
  -- A day that begins without a budget starts from the requests that a budget would have counted.
  insert into key_usage_days as u (app_id, key_id, day, requests, refused, failed, budget_taken)
  values (p_app, p_key, v_day, 0, 0, 0, greatest(v_owed, 0))
  on conflict (app_id, key_id, day) do update
     set budget_taken = greatest(coalesce(u.budget_taken, u.requests - u.failed) + v_owed, 0)
  returning budget_taken into v_taken;
  v_granted := greatest(least(p_units, p_limit - v_taken), 0);
  if v_granted > 0 then
    update key_usage_days set budget_taken = v_taken + v_granted
     where app_id = p_app and key_id = p_key and day = v_day;
  end if;
  return jsonb_build_object(
    'granted', v_granted,
    'remaining', greatest(p_limit - v_taken - v_granted, 0),
    'reset', v_reset);
end $$;
