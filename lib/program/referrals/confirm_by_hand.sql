-- Confirms an open referral by hand, at the current time. A later purchase is `already_confirmed`, and its refund reverses the
-- referral; until the first purchase, the refund of any purchase does. Returns {"verdict": ...}.
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

-- Stores the purchase of a referral that a member confirmed, if it is the referee's first since the code: refunds of other purchases
-- then change nothing. An earlier purchase that arrives later replaces it, in already_confirmed. Returns the referral.
create or replace function with_first_purchase(p_app uuid, p_referral referrals, p_event provider_events) returns referrals
language plpgsql as $$
begin
  if p_referral.confirmed_by is null and p_referral.confirmed_purchase is null and p_event.purchase_id is not null
     and event_time(p_event) >= p_referral.created_at and policy_verdict(p_app, p_referral, p_event) is null then
    p_referral.confirmed_purchase := p_event.purchase_id;
    p_referral.purchased_at := greatest(p_referral.purchased_at, event_time(p_event));
    perform store_referral(p_app, p_referral);
  end if;
  return p_referral;
end $$;
