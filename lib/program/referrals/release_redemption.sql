-- Releases an unconfirmed redemption: its code becomes void, its offer is free for the referee again, and the referee may
-- redeem again. The code was in the redeem's response, so it never returns to the pool. Returns {"verdict": ...}; "OK"
-- with "referee_uid" and "code".
create or replace function release_redemption(p_app uuid, p_id uuid) returns jsonb language plpgsql as $$
declare
  v_referral referrals;
  v_code codes;
  v_trial provider_events;
begin
  select * into v_referral from referrals where app_id = p_app and id = p_id for update;
  if not found then
    return '{"verdict": "NOT_FOUND"}';
  end if;
  if v_referral.status = 'redeemed' then
    return '{"verdict": "CONFIRMED"}';
  end if;
  update codes set status = 'void', assignment_id = null
   where app_id = p_app and assignment_id = p_id
  returning * into v_code;
  perform return_offer(p_app, v_code);
  insert into undone_steps (
    app_id, id, referral_id, step, campaign_id, referrer_id, referee_uid, platform, code_id, clicked_at, happened_at)
  values (
    p_app, new_id(), p_id, 'code_assigned', v_referral.campaign_id, v_referral.referrer_id, v_referral.referee_uid,
    v_referral.platform, v_code.id, v_referral.clicked_at, v_referral.created_at);
  -- A trial waits in the inbox for the next redemption, because its payment confirms only the referral that has it; not without its
  -- purchase, which an erasure deletes. Skips an event that is being replayed: it holds its own row and waits for the referral.
  for v_trial in
    select * from provider_events
     where app_id = p_app and referral_id = p_id and verdict = 'not_paid' and purchase_id is not null for update skip locked
  loop
    perform return_to_inbox(p_app, v_trial);
  end loop;
  update provider_events set referral_id = null, matched_by = null
   where app_id = p_app and id = any(array(
     select id from provider_events where app_id = p_app and referral_id = p_id for update skip locked));
  delete from referrals
   where app_id = p_app and campaign_id = v_referral.campaign_id and referee_uid = v_referral.referee_uid;
  -- Deletes the stored responses that show the void code, and the refusals for another metacode that name this referral, so that
  -- a retry gets neither.
  delete from idempotency_keys
   where app_id = p_app and operation = 'redeem' and created_at > now() - interval '24 hours'
     and p_id::text in (result ->> 'referral_id', result #>> '{redemption,referral_id}', result ->> 'refused_for');
  perform emit(p_app, 'referral.released', jsonb_build_object(
    'referral_id', p_id, 'referrer_id', v_referral.referrer_id, 'campaign_id', v_referral.campaign_id,
    'referee_uid', v_referral.referee_uid, 'platform', v_referral.platform));
  return jsonb_build_object('verdict', 'OK', 'referee_uid', v_referral.referee_uid, 'code', v_code.code);
end $$;
