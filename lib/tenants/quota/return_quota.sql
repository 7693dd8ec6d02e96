-- Returns unused units that a process took ahead.
create or replace function return_quota(p_workspace uuid, p_reset bigint, p_units int) returns void language plpgsql as $$
begin
  update quota_usage set used = greatest(used - p_units, 0)
   where workspace_id = p_workspace
     and month = ((to_timestamp(p_reset) at time zone 'utc') - interval '1 month')::date;
end $$;
