-- Stores a response under its key as the last step of the change's transaction. If a duplicate request has
-- stored one meanwhile, raises MC409, a request still running, which rolls the change back.
create or replace function store_answer(p_app uuid, p_operation text, p_key text, p_hash bytea, p_result jsonb)
returns void language plpgsql as $$
declare
  v_expired timestamptz := now() - interval '24 hours';
begin
  insert into idempotency_keys as k (app_id, operation, key, request_hash, result)
  values (p_app, p_operation, p_key, p_hash, p_result)
  on conflict (app_id, operation, key) do update
     set request_hash = excluded.request_hash, result = excluded.result, created_at = excluded.created_at
   where k.created_at <= v_expired;
  if not found then
    raise exception 'a request with this idempotency key is still running' using errcode = 'MC409';
  end if;
end $$;
