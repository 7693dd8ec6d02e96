-- Whether ids of its referrer and its referee were joined, which makes them one person. Once reversed, it never counts again.
create or replace function is_own_referral(p_app uuid, p_referral referrals) returns boolean language plpgsql as $$
declare
  v_referrer text;
begin
  select uid into v_referrer from referrers where app_id = p_app and id = p_referral.referrer_id;
  return linked_uids(p_app, array[p_referral.referee_uid]) @> jsonb_build_array(jsonb_build_object('uid', v_referrer));
end $$;

-- Reverses a confirmed referral by hand (p_kind `reverse`), or undoes that (`restore`); a reversal that a provider reported
-- stays. With p_withdraw a reversal also withdraws the reward that is no longer due, unless it is claimed. Returns
-- {"verdict": ...}; "OK" with "reward", the one that was withdrawn or restored.
create or replace function reverse_by_hand(p_app uuid, p_id uuid, p_kind text, p_withdraw boolean default false)
returns jsonb language plpgsql as $$
declare
  v_referral referrals;
  v_reward jsonb;
  v_withdrawn uuid[];
begin
  if p_kind = 'restore' then
    -- Locked before the referral, as in an erasure. A join of the two ids also holds this row, so it sees the result or ends first.
    perform 1 from apps where id = p_app for share;
  end if;
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
  if p_kind = 'restore' and is_own_referral(p_app, v_referral) then
    return '{"verdict": "OWN"}';
  end if;
  if p_kind = 'restore' then
    v_withdrawn := array(
      select id from rewards
       where app_id = p_app and referrer_id = v_referral.referrer_id and status = 'withdrawn' and withdrawn_with is not null);
  end if;
  if p_kind = 'reverse' and p_withdraw then
    -- Locks the referrer before the progress, as everywhere; otherwise a claim could take the reward meanwhile.
    perform 1 from referrers where app_id = p_app and id = v_referral.referrer_id for no key update;
  end if;
  perform settle_referral(p_app, v_referral, p_kind, null);
  if p_kind = 'reverse' and p_withdraw then
    v_reward := withdraw_with_reversal(p_app, v_referral);
  elsif v_withdrawn <> '{}' then
    select jsonb_build_object('id', id, 'platform', platform, 'reward_number', reward_number) into v_reward
      from rewards where app_id = p_app and id = any(v_withdrawn) and status = 'earned'
     order by reward_number limit 1;
  end if;
  return jsonb_build_object('verdict', 'OK', 'reward', v_reward);
end $$;
