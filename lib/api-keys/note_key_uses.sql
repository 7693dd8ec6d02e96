-- Keeps the latest use of each key; several processes may report the same one.
create or replace function note_key_uses(p_uses jsonb) returns void language plpgsql as $$
begin
  insert into api_key_uses as u (app_id, key_id, last_used_at)
  select app_id, key_id, last_used_at
    from jsonb_to_recordset(p_uses) as n (app_id uuid, key_id uuid, last_used_at timestamptz)
   order by app_id, key_id
  on conflict (app_id, key_id) do update set last_used_at = greatest(u.last_used_at, excluded.last_used_at);
end $$;
