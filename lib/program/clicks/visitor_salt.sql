-- The salt of a day as hexadecimal digits: p_offer, or the salt that an earlier process stored.
create or replace function visitor_salt(p_day date, p_offer bytea) returns jsonb language plpgsql as $$
declare
  v_salt bytea;
begin
  insert into visitor_salts (day, salt) values (p_day, p_offer) on conflict (day) do nothing;
  select salt into v_salt from visitor_salts where day = p_day;
  return to_jsonb(encode(v_salt, 'hex'));
end $$;
