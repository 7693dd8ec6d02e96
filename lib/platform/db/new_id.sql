-- A UUIDv7 for rows that only an SQL function knows it needs, such as outbox events and rewards; all other ids
-- are parameters. PostgreSQL 18 and newer have their own, faster function.
do $do$ begin
  if current_setting('server_version_num')::int >= 180000 then
    create or replace function new_id() returns uuid language plpgsql volatile as $$
    begin
      return uuidv7();
    end $$;
  else
    create or replace function new_id() returns uuid language plpgsql volatile as $$
    declare
      v_time bytea := substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3);
    begin
      return encode(
        set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing v_time from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;
    end $$;
  end if;
end $do$;
