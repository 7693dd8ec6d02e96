-- Adds up what each limit of a key refused; several processes may report the same limit. The count restarts after an hour without
-- refusals. A row without refusals stands for a limit that was changed at last_at: a process may refuse by the old value for 5 s, and
-- those refusals do not count.
create or replace function note_key_refusals(
  p_apps uuid[], p_keys uuid[], p_limits text[], p_refused int[], p_times timestamptz[], p_untils timestamptz[])
returns void language plpgsql as $$
begin
  -- All times are the database's: a process with a wrong clock knows how long a limit lasts, and when a day ends by the database.
  insert into key_refusals as r (app_id, key_id, limit_name, refused, since, last_at, until)
  select n.app_id, n.key_id, n.limit_name, n.refused, now(), now(),
         case n.limit_name when 'daily_budget' then n.until else now() + (n.until - n.at) end
    from unnest(p_apps, p_keys, p_limits, p_refused, p_times, p_untils)
      as n (app_id, key_id, limit_name, refused, at, until)
   order by n.app_id, n.key_id, n.limit_name
  on conflict (app_id, key_id, limit_name) do update
     set refused = excluded.refused + case when excluded.last_at - r.last_at < interval '1 hour' then r.refused else 0 end,
         since = case when r.refused > 0 and excluded.last_at - r.last_at < interval '1 hour' then r.since else excluded.since end,
         last_at = greatest(r.last_at, excluded.last_at),
         until = greatest(r.until, excluded.until)
   where r.refused > 0 or excluded.last_at - r.last_at > interval '10 seconds';
end $$;
