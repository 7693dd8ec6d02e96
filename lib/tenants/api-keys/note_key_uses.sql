-- Stores the latest use of each key; several processes may report the same key.
create or replace function note_key_uses(p_apps uuid[], p_keys uuid[], p_times timestamptz[]) returns void
language plpgsql as $$
begin
  insert into api_key_uses as u (app_id, key_id, last_used_at)
  select n.app_id, n.key_id, n.last_used_at
    from unnest(p_apps, p_keys, p_times) as n (app_id, key_id, last_used_at)
   order by n.app_id, n.key_id
  on conflict (app_id, key_id) do update set last_used_at = greatest(u.last_used_at, excluded.last_used_at);
end $$;
