-- A UUIDv7 for rows that only a function knows it needs: outbox events and rewards. Ids that the application knows
-- beforehand are parameters. Since version 18 PostgreSQL has its own function, which is faster.
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
