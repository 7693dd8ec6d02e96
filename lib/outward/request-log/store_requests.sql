-- Writes one app's batch of answered requests: log lines, the end users they named, and additions to the daily counts of their keys.
-- After a lost response the same batch is sent again; its lines exist already, so nothing is counted twice.
create or replace function store_requests(
  p_app uuid, p_ids uuid[], p_keys uuid[], p_methods text[], p_paths text[], p_statuses int[], p_codes text[],
  p_messages text[], p_micros int[], p_times timestamptz[], p_uids text[], p_metacodes text[], p_platforms text[],
  p_count_keys uuid[], p_count_days date[], p_requests int[], p_refused int[], p_failed int[], p_unlisted int[],
  p_hashes bytea[] default null, p_unbudgeted int[] default null)
returns void language plpgsql as $$
declare
  v_lines int;
  v_erased bytea[];
  v_until timestamptz[];
begin
  -- Counts by RETURNING: on a cluster the row count of an INSERT ... SELECT includes the rows that conflict.
  with stored as (
    insert into request_log (app_id, id, key_id, method, path, status, error_code, message, micros, created_at)
    select p_app, n.id, n.key_id, n.method, n.path, n.status, n.code, n.message, n.micros, n.created_at
      from unnest(p_ids, p_keys, p_methods, p_paths, p_statuses, p_codes, p_messages, p_micros, p_times)
        as n (id, key_id, method, path, status, code, message, micros, created_at)
    on conflict do nothing
    returning 1
  )
  select count(*) into v_lines from stored;
  if v_lines = 0 then
    return;
  end if;
  if array_remove(p_uids, null) <> '{}' then
    -- Waits for an erasure that is storing its time.
    perform 1 from apps where id = p_app for key share;
  end if;
  -- A request from before its end user's erasure is stored without the end user; 20 s cover differences between clocks.
  select array_agg(e.uid_hash), array_agg(e.created_at + interval '20 seconds') into v_erased, v_until
    from erased_people e
   where e.app_id = p_app and e.uid_hash = any(p_hashes);
  insert into request_subjects (app_id, id, uid, metacode, platform, created_at)
  select p_app, n.id, n.uid, n.metacode, n.platform, n.created_at
    from unnest(p_ids, p_uids, p_metacodes, p_platforms, p_times, p_hashes)
      as n (id, uid, metacode, platform, created_at, uid_hash)
   where n.uid is not null
     and not exists (
       select from unnest(v_erased, v_until) as e (uid_hash, until)
        where e.uid_hash = n.uid_hash and n.created_at < e.until)
  on conflict do nothing;
  -- p_unbudgeted are the requests that a daily budget would have counted: a budget set later in the day starts from them.
  insert into key_usage_days as u (app_id, key_id, day, requests, refused, failed, unlisted, budget_taken)
  select p_app, n.key_id, n.day, n.requests, n.refused, n.failed, n.unlisted, n.unbudgeted
    from unnest(p_count_keys, p_count_days, p_requests, p_refused, p_failed, p_unlisted, p_unbudgeted)
      as n (key_id, day, requests, refused, failed, unlisted, unbudgeted)
   order by n.key_id, n.day
  on conflict (app_id, key_id, day) do update
     set requests = u.requests + excluded.requests, refused = u.refused + excluded.refused,
         failed = u.failed + excluded.failed, unlisted = u.unlisted + excluded.unlisted,
         -- The previous version counts no unbudgeted requests, and writes null.
         budget_taken = coalesce(
           coalesce(u.budget_taken, u.requests - u.failed) + excluded.budget_taken, u.budget_taken);
end $$;
