-- Locks up to p_limit referrals of an app whose holds are over, the oldest first, and returns their ids. Those that another process
-- has locked are left to the next round. A separate function, because its statement must not sort: see docs/decisions/speed.md.
create or replace function lock_ended_holds(p_app uuid, p_limit int) returns uuid[]
language plpgsql set enable_sort = off as $$
begin
  return array(
    select id from referrals where held and counts_from <= now() and app_id = p_app
     order by counts_from limit p_limit for update skip locked);
end $$;

-- Ends the holds that are over, the oldest first: their referrals count from now on, and rewards that become due are earned
-- with their events, as at a confirmation without a hold. A referral that was reversed meanwhile counts again only once the
-- reversal is undone. Returns how many holds ended.
create or replace function end_holds(p_app uuid, p_limit int) returns int language plpgsql as $$
declare
  v_ids uuid[];
  v_referrers uuid[];
  v_referral referrals;
begin
  -- Locked first and read afterwards, so that a refund that committed in between is seen.
  v_ids := lock_ended_holds(p_app, p_limit);
  -- Locked before their progress, as everywhere. Their totals are stored at the end, because no event makes the roll-up do so.
  v_referrers := array(select distinct referrer_id from referrals where app_id = p_app and id = any(v_ids));
  perform 1 from referrers where app_id = p_app and id = any(v_referrers) order by id for no key update;
  -- In the order of their progress, so that two processes do not wait for each other.
  for v_referral in
    select * from referrals where app_id = p_app and id = any(v_ids)
     order by referrer_id, campaign_id, platform, id
  loop
    update referrals set held = false
     where app_id = p_app and campaign_id = v_referral.campaign_id and referee_uid = v_referral.referee_uid;
    continue when v_referral.reversed_at is not null;
    perform count_referral(p_app, v_referral, -1);
    v_referral.held := false;
    perform count_referral(p_app, v_referral, 1);
  end loop;
  perform total_referrers(p_app, v_referrers);
  return cardinality(v_ids);
end $$;
