-- The response stored under an Idempotency-Key within 24 hours, marked as replayed; a conflict if the request
-- differs; null if the key is new.
create or replace function stored_answer(p_app uuid, p_operation text, p_key text, p_hash bytea)
returns jsonb language plpgsql as $$
declare
  v_stored record;
begin
  select request_hash, result into v_stored from idempotency_keys
   where app_id = p_app and operation = p_operation and key = p_key and created_at > now() - interval '24 hours';
  if not found then
    return null;
  end if;
  if v_stored.request_hash <> p_hash then
    return '{"verdict": "CONFLICT", "reason": "idempotency_key_reused"}';
  end if;
  return v_stored.result || '{"replayed": true}';
end $$;
