-- Rewards that a member withdraws, for example for proven fakes: they stay earned and their numbers stay used, but no claim
-- finds them. A withdrawal locks the referrer, like a claim, so that no reward is both.

-- Withdraws a reward that was earned and not claimed, or restores it (`restore`). p_referral: the referral whose reversal
-- withdraws it, or that restores it by counting again. Returns the reward; null if its status does not fit.
create or replace function change_withdrawal(p_app uuid, p_reward uuid, p_kind text, p_referral uuid) returns jsonb
language plpgsql as $$
declare
  v_back boolean := p_kind = 'restore';
  v_reward rewards;
begin
  select * into v_reward from rewards where app_id = p_app and id = p_reward;
  -- Locked before the reward, as in a confirmation that restores it.
  perform 1 from referrer_progress
   where app_id = p_app and referrer_id = v_reward.referrer_id and campaign_id = v_reward.campaign_id
     and platform = v_reward.platform for update;
  update rewards
     set status = case when v_back then 'earned' else 'withdrawn' end, withdrawn_with = p_referral,
         waits_for = null, waits_on = null, waits_since = null
   where app_id = p_app and id = p_reward and status = case when v_back then 'withdrawn' else 'earned' end
  returning * into v_reward;
  if not found then
    return null;
  end if;
  update referrer_progress set withdrawn = withdrawn + case when v_back then -1 else 1 end
   where app_id = p_app and referrer_id = v_reward.referrer_id and campaign_id = v_reward.campaign_id
     and platform = v_reward.platform;
  perform emit(p_app, case when v_back then 'reward.restored' else 'reward.withdrawn' end, jsonb_build_object(
    'reward_id', v_reward.id, 'referrer_id', v_reward.referrer_id, 'campaign_id', v_reward.campaign_id,
    'platform', v_reward.platform, 'reward_number', v_reward.reward_number));
  return jsonb_build_object(
    'id', v_reward.id, 'platform', v_reward.platform, 'reward_number', v_reward.reward_number);
end $$;

-- Withdraws the reward that is no longer due after a referral's reversal, by the current rules: the last unclaimed one, if one
-- less is due than before. A higher threshold alone withdraws nothing. Returns the reward, or null.
create or replace function withdraw_with_reversal(p_app uuid, p_referral referrals) returns jsonb
language plpgsql as $$
declare
  v_left record;
  v_reward uuid;
begin
  select least(g.confirmed / p.threshold, p.reward_cap) + g.goodwill as due,
         least((g.confirmed + 1) / p.threshold, p.reward_cap) + g.goodwill as due_before, g.earned - g.withdrawn as granted
    into v_left
    from referrer_progress g
    join campaigns c on c.app_id = p_app and c.id = g.campaign_id and c.type = 'referral'
    join campaign_platforms p on p.app_id = p_app and p.campaign_id = g.campaign_id and p.platform = g.platform
   where g.app_id = p_app and g.referrer_id = p_referral.referrer_id and g.campaign_id = p_referral.campaign_id
     and g.platform = p_referral.platform;
  -- A referral on hold has not counted towards any reward.
  if not found or p_referral.held or v_left.due = v_left.due_before or v_left.granted <= v_left.due then
    return null;
  end if;
  select id into v_reward from rewards
   where app_id = p_app and referrer_id = p_referral.referrer_id and campaign_id = p_referral.campaign_id
     and platform = p_referral.platform and status = 'earned'
   order by reward_number desc limit 1;
  return change_withdrawal(p_app, v_reward, 'withdraw', p_referral.id);
end $$;
