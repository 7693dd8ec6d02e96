-- Confirms an open referral by hand, at the current time. A purchase that arrives later is already confirmed, and a
-- refund from now on reverses it. Returns {"verdict": ...}.
create or replace function confirm_by_hand(p_app uuid, p_id uuid) returns jsonb language plpgsql as $$
declare
  v_referral referrals;
begin
  select * into v_referral from referrals where app_id = p_app and id = p_id for update;
  if not found then
    return '{"verdict": "NOT_FOUND"}';
  end if;
  if v_referral.status = 'redeemed' then
    return '{"verdict": "CONFIRMED"}';
  end if;
  perform announce_referral(
    p_app, update_referral_state(p_app, v_referral, 'confirm', null, now()), 'confirm');
  return '{"verdict": "OK"}';
end $$;
