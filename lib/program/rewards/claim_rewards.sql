-- Section 4.2. Returns {"verdict": ...}; "OK" carries "claimed", the rewards with their codes, and "waiting", the number
-- that wait for codes, without those that wait for a budget.

-- The most rewards of one claim. Its transaction holds the referrer's row, and redeems of the metacode may wait for that: 500 take
-- 0.3 s, and 5,000 would exceed the statement timeout and never be claimed. On a busy cluster a claim ends earlier, by its time.
create or replace function claim_limit() returns int language plpgsql immutable as $$
begin
  return 500;
end $$;

-- The rewards whose code was assigned or replaced within the app's retry window, because the response with them may have been lost.
-- Only the newest, because a window without an end would list years of rewards: as many as four claims can take, for a client that
-- claims on after a lost response, and all that were claimed together with the oldest of these.
create or replace function recent_claims(p_app uuid, p_referrer uuid, p_window_hours int) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(jsonb_build_object(
             'reward_id', r.id, 'platform', r.platform, 'reward_number', r.reward_number,
             'code', r.code, 'kind', b.kind, 'instructions', p.instructions) order by r.claimed_at, r.campaign_id, r.counted_on,
             r.reward_number)
      from (
        select w.id, w.campaign_id, w.platform as counted_on, w.reward_number, w.claimed_at, c.platform, c.code, c.batch_id
          from rewards w
          join codes c on c.app_id = p_app and c.assignment_id = w.id
         where w.app_id = p_app and w.referrer_id = p_referrer and w.status = 'claimed'
           and c.assigned_at > now() - make_interval(hours => p_window_hours)
         order by c.assigned_at desc fetch first (4 * claim_limit()) rows with ties) r
      join batches b on b.app_id = p_app and b.id = r.batch_id
      left join campaign_platforms p
        on p.app_id = p_app and p.campaign_id = r.campaign_id and p.platform = r.platform);
end $$;

-- The platform of a reward's code: the platform of the friends who earned it, or in a campaign that pays on the referrer's own
-- platform the one that the claim names, else the one in the referrer's metadata.
create or replace function reward_platform(p_rewards_on text, p_platform text, p_claimed_on text, p_metadata jsonb)
returns text language plpgsql immutable as $$
declare
  v_own text := coalesce(p_claimed_on, lower(p_metadata ->> 'platform'));
begin
  return case when p_rewards_on = 'referrer' and v_own in ('ios', 'android') then v_own else p_platform end;
end $$;

-- Stores why a referrer's earned rewards in a campaign on a platform wait, and since when each waits for this. p_own: the referrer's
-- own platform, in a campaign that pays on it, even if the campaign has no reward pool for it yet.
create or replace function note_wait(p_app uuid, p_referrer uuid, p_campaign uuid, p_platform text, p_reason text, p_own text)
returns void language plpgsql as $$
begin
  update rewards set waits_for = p_reason, waits_on = p_own, waits_since = now()
   where app_id = p_app and referrer_id = p_referrer and campaign_id = p_campaign and platform = p_platform and status = 'earned'
     and (waits_for, waits_on) is distinct from (p_reason, p_own);
end $$;

-- Counts the rewards left over by a claim at its limit that would find no code in the next claim. Stores the platform of this claim
-- with them, because the next one probably comes from the same phone.
create or replace function waiting_after(p_app uuid, p_referrer uuid, p_uid text, p_platform text, p_metadata jsonb) returns int
language plpgsql as $$
begin
  update rewards set waits_on = reward_platform('referrer', platform, p_platform, p_metadata)
   where app_id = p_app and referrer_id = p_referrer and status = 'earned'
     and waits_on is distinct from reward_platform('referrer', platform, p_platform, p_metadata)
     and campaign_id in (select id from campaigns where app_id = p_app and rewards_on = 'referrer');
  return (
    select coalesce(sum((x.value ->> 'rewards')::int - (x.value ->> 'claimable')::int), 0)
      from jsonb_array_elements(wait_reasons(p_app, p_referrer, p_uid)) x where x.value ->> 'reason' <> 'budget');
end $$;

-- Claims the earned rewards that a code is available for, up to the limit or its time, without quota and Idempotency-Key. The others
-- store why they wait; those beyond stay for the next claim.
create or replace function claim_once(p_app uuid, p_uid text, p_platform text, p_pseudonym text default null) returns jsonb
language plpgsql as $$
declare
  v_referrer record;
  v_reward record;
  v_group text;
  v_own text;
  v_place record;
  v_code jsonb;
  v_claimed jsonb[] := '{}';
  v_waiting int := 0;
  v_reason text;
  v_retry int;
  v_app jsonb;
begin
  -- The lock serializes parallel claims of one referrer: the second finds the rewards that the first left.
  select r.id, r.metadata, a.name, a.retry_window_hours, a.apple_app_id, a.android_package, a.has_erased into v_referrer
    from referrers r join apps a on a.id = p_app
   where r.app_id = p_app and r.uid = p_uid for update of r;
  if not found then
    return '{"verdict": "NOT_FOUND"}';
  end if;
  if v_referrer.has_erased then
    perform recall_offers(p_app, array['ios', 'android'], p_uid, p_pseudonym);
  end if;
  v_app := jsonb_build_object(
    'app_name', v_referrer.name, 'apple_app_id', v_referrer.apple_app_id, 'android_package', v_referrer.android_package);
  for v_reward in
    select w.id, w.platform as counted_on, w.platform, null::text as chosen, w.reward_number, w.campaign_id, p.reward_pool_id, p.instructions,
           make_interval(hours => c.safety_margin_hours) as margin, c.reward_budget is not null as has_budget, c.rewards_on,
           c.status = 'ended' as ended
      from rewards w
      join campaigns c on c.app_id = p_app and c.id = w.campaign_id
      left join campaign_platforms p
        on p.app_id = p_app and p.campaign_id = w.campaign_id and p.platform = w.platform
     where w.app_id = p_app and w.referrer_id = v_referrer.id and w.status = 'earned'
     order by w.campaign_id, w.platform, w.reward_number
  loop
    if cardinality(v_claimed) = claim_limit() or v_claimed <> '{}' and clock_timestamp() > statement_timestamp() + interval '2.5 seconds' then
      v_waiting := waiting_after(p_app, v_referrer.id, p_uid, p_platform, v_referrer.metadata);
      exit;
    end if;
    -- The rewards of a campaign on a platform share its budget, pool and margin: once one is refused, all others would be.
    if v_group is distinct from v_reward.campaign_id || v_reward.counted_on then
      v_group := v_reward.campaign_id || v_reward.counted_on;
      v_reason := null;
    elsif v_reason is not null then
      v_waiting := v_waiting + (v_reason <> 'budget')::int;
      continue;
    end if;
    -- A choice within the query above would cost every claim a sort.
    if v_reward.rewards_on = 'referrer' then
      v_own := reward_platform(v_reward.rewards_on, v_reward.counted_on, p_platform, v_referrer.metadata);
      for v_place in
        select platform, reward_pool_id, instructions from campaign_platforms
         where app_id = p_app and campaign_id = v_reward.campaign_id and platform in (v_reward.counted_on, v_own)
         order by reward_pool_id is null, platform = v_reward.counted_on limit 1
      loop
        v_reward.platform := v_place.platform;
        v_reward.reward_pool_id := v_place.reward_pool_id;
        v_reward.instructions := v_place.instructions;
      end loop;
      v_reward.chosen := v_own;
    end if;
    if v_reward.has_budget and not has_budget(p_app, v_reward.campaign_id, 'reward') then
      v_reason := 'budget';
    else
      v_code := take_code(p_app, v_reward.reward_pool_id, v_reward.platform, p_uid, v_reward.margin, v_reward.id,
        v_referrer.id, false, null);
      if v_code is null then
        v_reason := coalesce(
          wait_reason(p_app, v_reward.reward_pool_id, v_reward.platform, p_uid, v_reward.margin), 'no_codes');
      end if;
    end if;
    if v_reason is not null then
      v_waiting := v_waiting + (v_reason <> 'budget')::int;
      -- Only a member can raise a budget or choose a pool, and only until the campaign ends.
      if not v_reward.ended or v_reason not in ('budget', 'no_pool') then
        v_retry := least(v_retry, case when v_reason = 'budget' then 86400 else
          expected_wait(p_app, v_reward.reward_pool_id, v_reason, p_uid) end);
      end if;
      perform note_wait(p_app, v_referrer.id, v_reward.campaign_id, v_reward.counted_on, v_reason, v_reward.chosen);
      continue;
    end if;
    if v_reward.has_budget then
      perform spend_budget(p_app, v_reward.campaign_id, 'reward', 1);
    end if;
    update rewards set status = 'claimed', claimed_at = now(), waits_for = null, waits_on = null, waits_since = null
     where app_id = p_app and id = v_reward.id;
    update referrer_progress set claimed = claimed + 1
     where app_id = p_app and referrer_id = v_referrer.id and campaign_id = v_reward.campaign_id
       and platform = v_reward.counted_on;
    perform emit(p_app, 'reward.claimed', jsonb_build_object(
      'reward_id', v_reward.id, 'referrer_id', v_referrer.id, 'uid', p_uid, 'campaign_id', v_reward.campaign_id,
      'platform', v_reward.counted_on, 'reward_number', v_reward.reward_number));
    v_claimed := v_claimed || ((v_code - 'id') || jsonb_build_object(
      'reward_id', v_reward.id, 'platform', v_reward.platform, 'reward_number', v_reward.reward_number,
      'instructions', v_reward.instructions));
  end loop;
  if v_claimed <> '{}' then
    return v_app || jsonb_build_object('verdict', 'OK', 'claimed', to_jsonb(v_claimed), 'waiting', v_waiting);
  end if;
  return v_app || jsonb_build_object(
    'verdict', case when v_retry is not null then 'NO_CODES_AVAILABLE' else 'NO_REWARDS_AVAILABLE' end,
    'retry_after', v_retry, 'recent_claims', recent_claims(p_app, v_referrer.id, v_referrer.retry_window_hours));
end $$;

-- Quota, stored answer, claim and stored result in one round trip, like redeem_metacode.
create or replace function claim_rewards(
  p_app uuid, p_uid text, p_platform text, p_key text, p_hash bytea, p_workspace uuid, p_quota_limit bigint, p_quota_units int,
  p_texts text default null, p_pseudonym text default null)
returns jsonb language plpgsql as $$
declare
  v_quota jsonb;
  v_result jsonb;
begin
  if p_quota_units > 0 then
    v_quota := take_quota(p_app, p_workspace, p_quota_limit, p_quota_units);
    if v_quota ->> 'granted' = '0' then
      return jsonb_build_object('verdict', 'RATE_LIMITED', 'quota', v_quota);
    end if;
  end if;
  if p_key is not null then
    v_result := with_replacements(p_app, stored_answer(p_app, 'claim', p_key, p_hash));
  end if;
  if v_result is null then
    v_result := claim_once(p_app, p_uid, p_platform, p_pseudonym);
    if p_texts is not null then
      v_result := v_result || jsonb_build_object('texts', p_texts::jsonb);
    end if;
    if p_key is not null and v_result ->> 'verdict' <> 'NO_CODES_AVAILABLE' then
      perform store_answer(p_app, 'claim', p_key, p_hash, v_result);
    end if;
  end if;
  return v_result || jsonb_build_object('quota', v_quota);
end $$;
