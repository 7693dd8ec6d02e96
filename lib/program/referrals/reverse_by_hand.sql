-- Reverses a confirmed referral by hand (p_kind `reverse`), or undoes such a reversal (`restore`); a reversal that a
-- provider reported stays. Returns {"verdict": ...}.
create or replace function reverse_by_hand(p_app uuid, p_id uuid, p_kind text) returns jsonb language plpgsql as $$
declare
  v_referral referrals;
begin
  select * into v_referral from referrals where app_id = p_app and id = p_id for update;
  if not found then
    return '{"verdict": "NOT_FOUND"}';
  end if;
  if v_referral.status <> 'redeemed' then
    return '{"verdict": "NOT_CONFIRMED"}';
  end if;
  if (v_referral.reversed_at is null) <> (p_kind = 'reverse') then
    return '{"verdict": "DONE"}';
  end if;
  if v_referral.reversed_by is not null then
    return '{"verdict": "REPORTED"}';
  end if;
  perform settle_referral(p_app, v_referral, p_kind, null);
  return '{"verdict": "OK"}';
end $$;
