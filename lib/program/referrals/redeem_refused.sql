-- The responses to a redeem that gets no code now, and its place in line.

-- Refuses a redeem because the pool is empty, or has only offers that this referee has had. Repeats the code of an ended campaign,
-- whose response may have been lost, and puts the referee in line: at most 100 per referrer, fewer if the daily cap is lower, and
-- 10,000 per influencer, whom the owner created. A new place counts like a code.
create or replace function no_codes(
  p_app uuid, p_pool uuid, p_campaign uuid, p_platform text, p_referee_uid text, p_referrer uuid, p_pseudonym text,
  p_answer jsonb)
returns jsonb language plpgsql as $$
declare
  v_limits record;
  v_refusal jsonb;
  v_runs_on text[];
  v_joined boolean := false;
  v_margin interval;
  v_reason text;
begin
  select case when r.campaign_id is null then least(a.referrer_daily_cap, 100) else 10000 end as places,
         a.retry_window_hours as hours
    into v_limits
    from referrers r join apps a on a.id = p_app where r.app_id = p_app and r.id = p_referrer;
  v_refusal := refuse_closed(
    'NO_CODES_AVAILABLE', p_app, p_referee_uid, p_referrer, p_platform, v_limits.hours, p_answer);
  if p_pool is null then
    select array_agg(platform) into v_runs_on
      from campaign_platforms where app_id = p_app and campaign_id = p_campaign;
    if not p_platform = any(v_runs_on) then
      return v_refusal || jsonb_build_object('retry_after', 86400, 'platform', p_platform, 'runs_on', v_runs_on);
    end if;
  else
    v_joined := join_line(
      p_app, p_campaign, p_platform, p_referee_uid, p_referrer, v_limits.places, p_pseudonym);
  end if;
  select make_interval(hours => safety_margin_hours) into v_margin from campaigns where app_id = p_app and id = p_campaign;
  v_reason := wait_reason(p_app, p_pool, p_platform, p_referee_uid, v_margin);
  return v_refusal || jsonb_build_object('retry_after', expected_wait(p_app, p_pool, v_reason, p_referee_uid))
    || case when v_joined then jsonb_build_object('referrer_id', p_referrer) else '{}' end;
end $$;

-- The response to a redeem over a cap (p_beyond) or, in an app that holds such redeems (p_reviews), to one that a member has yet to
-- decide or has decided. Null lets the redeem go on. At most 100 redeems per referrer and 1,000 per app are held, so that made-up ids
-- cannot fill the list; the others are refused.
create or replace function review(
  p_app uuid, p_campaign uuid, p_platform text, p_referee_uid text, p_referrer uuid, p_beyond text, p_reviews boolean,
  p_pseudonym text)
returns jsonb language plpgsql as $$
declare
  v_place record;
  v_reserved text;
  v_ids text[];
  v_joined boolean := false;
  -- Over the cap of an address the verdict is that of an empty pool, because that response is never stored.
  v_refusal jsonb := jsonb_build_object(
    'verdict', case when p_beyond = 'codes_per_address' then 'NO_CODES_AVAILABLE' else 'CONFLICT' end, 'reason', p_beyond);
begin
  -- A platform without codes holds no redeem, and has its own refusal.
  if p_beyond is null and not p_reviews then
    return null;
  end if;
  select state, beyond, coalesce(reserved_until > to_timestamp(0), false) as reserved into v_place from referees_in_line
   where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid;
  -- A decision about one id of a person also holds for the joined ids. Each id is looked up separately, here and below: where most
  -- apps are small, a list of ids is planned as a filter over all rows of the campaign.
  if not found and p_reviews then
    v_ids := joined_ids(p_app, p_referee_uid);
    select l.state, l.beyond, false as reserved into v_place from unnest(v_ids) i (uid) cross join lateral (
      select state, beyond from referees_in_line
       where app_id = p_app and campaign_id = p_campaign and referee_uid >= i.uid and referee_uid <= i.uid and beyond is not null
       order by referee_uid limit 1) l
     order by array_position(array['dismissed', 'waiting', 'approved', 'review'], l.state) limit 1;
  end if;
  if p_beyond is null and coalesce(v_place.state, 'waiting') in ('waiting', 'approved') then
    return null;
  end if;
  if not p_reviews and coalesce(v_place.state, 'waiting') = 'waiting' then
    v_reserved := reserved_uid(p_app, p_campaign, p_referee_uid, true);
  end if;
  perform 1 from unnest(array[p_referee_uid, p_pseudonym]) i (uid) cross join lateral (
    select 1 from referrals
     where app_id = p_app and campaign_id = p_campaign and referee_uid >= i.uid and referee_uid <= i.uid
     order by referee_uid limit 1) f;
  -- A retry, an approved redeem, a place that has counted for the address, or a code set aside before the referrer's cap was used up.
  if found or v_place.state in ('waiting', 'approved') and v_place.beyond is not null
     or v_place.reserved and p_beyond = 'codes_per_address'
     or exists (
       select 1 from (
         select code_id, referrer_id from referees_in_line
          where app_id = p_app and campaign_id = p_campaign and referee_uid >= v_reserved and referee_uid <= v_reserved
          order by referee_uid limit 1) l
        cross join lateral (select platform from codes where app_id = p_app and id = l.code_id limit 1) c
        where l.referrer_id = p_referrer and c.platform = p_platform) then
    return null;
  elsif not p_reviews then
    return v_refusal;
  elsif v_place.state = 'dismissed' then
    return '{"verdict": "CONFLICT", "reason": "dismissed"}';
  elsif v_place.state is distinct from 'review' then
    if 1000 <= (
      select count(*) from (
        select 1 from referees_in_line where app_id = p_app and state = 'review' limit 1000) r) then
      return v_refusal;
    end if;
    v_joined := join_line(
      p_app, p_campaign, p_platform, p_referee_uid, p_referrer, 100, p_pseudonym, p_beyond);
    perform 1 from referees_in_line
      where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid and state = 'review';
    if not found then
      return v_refusal;
    end if;
  end if;
  return '{"verdict": "NO_CODES_AVAILABLE", "retry_after": 3600, "reason": "review"}'
    || case when v_joined then jsonb_build_object('referrer_id', p_referrer) else '{}' end;
end $$;
