-- Steps 8 to 10: assigns a code to the stored referral and emits the event. Without a code the referral is deleted again. A code set
-- aside for the referee comes first, one set aside for a joined id last. `counted` in p_place: the group has already counted the code
-- in the campaign's budget. Codes set aside were counted at that time.
create or replace function assign_code(
  p_app uuid, p_referee_uid text, p_place jsonb, p_wait boolean, p_pseudonym text)
returns jsonb language plpgsql as $$
declare
  v_referral uuid := p_place ->> 'referral_id';
  v_referrer uuid := p_place ->> 'referrer_id';
  v_campaign uuid := p_place ->> 'campaign_id';
  v_margin interval := p_place ->> 'margin';
  v_line boolean := p_place ->> 'line';
  v_internal text[] := '{pool_id,margin,line,clicked,budget,counted}';
  v_counted boolean := p_place ? 'counted';
  v_spent boolean := false;
  v_code jsonb;
begin
  if v_line then
    v_code := take_reserved(
      p_app, v_campaign, p_place ->> 'platform', p_referee_uid, v_margin, v_referral, v_referrer, false);
  end if;
  if v_code is null then
    if (p_place ->> 'budget')::boolean and not v_counted then
      v_counted := spend_code(p_app, v_campaign);
      v_spent := not v_counted;
    end if;
    if not v_spent then
      v_code := take_code(p_app, (p_place ->> 'pool_id')::uuid, p_place ->> 'platform', p_referee_uid, v_margin, v_referral,
        v_referrer, p_wait, null);
    end if;
    if v_code is null and v_line and p_wait then
      v_code := take_reserved(
        p_app, v_campaign, p_place ->> 'platform', p_referee_uid, v_margin, v_referral, v_referrer, true);
    end if;
  end if;
  if v_counted and (v_code is null or v_code ? 'reserved') then
    perform spend_budget(p_app, v_campaign, 'referee', -1);
  end if;
  if v_code is null then
    delete from referrals where app_id = p_app and campaign_id = v_campaign and referee_uid = p_referee_uid;
    -- A redeem that may not wait is repeated alone. Only then does it take a code of a joined id or join the line.
    if not p_wait and (v_line or not v_spent) then
      return '{"verdict": "NO_CODES_AVAILABLE"}';
    elsif v_spent then
      return budget_spent(p_app, p_referee_uid, v_referrer, p_place ->> 'platform', p_place - v_internal);
    end if;
    return no_codes(
      p_app, (p_place ->> 'pool_id')::uuid, v_campaign, p_place ->> 'platform', p_referee_uid, v_referrer, p_pseudonym,
      p_place - v_internal);
  end if;
  if (p_place ->> 'clicked')::boolean then
    delete from clicks where app_id = p_app and id = v_referral;
  end if;
  perform emit(p_app, 'referral.code_assigned', jsonb_build_object(
    'referral_id', v_referral, 'referrer_id', v_referrer, 'campaign_id', v_campaign,
    'referee_uid', p_referee_uid, 'platform', p_place -> 'platform', 'metacode', p_place -> 'metacode'));
  return p_place - v_internal || (v_code - 'id')
    || case when (p_place ->> 'budget')::boolean then '{"verdict": "OK", "budget": true}'::jsonb else '{"verdict": "OK"}' end;
end $$;
