-- Grants the rewards that changed rules made due: floor(confirmed / threshold) up to the cap, less those earned. Rewards that
-- reversals withdrew come back first, with their numbers. Looks at the next p_limit rows of progress, by referrer; grant_after stores
-- how far it got, so that another process goes on after a crash. Returns {"granted", "done"}.
create or replace function grant_due(p_app uuid, p_campaign uuid, p_platform text, p_limit int) returns jsonb
language plpgsql as $$
declare
  v_rule record;
  v_end uuid;
  v_near uuid[];
  v_reward record;
  v_granted int := 0;
begin
  select p.threshold, p.reward_cap, p.grant_after into v_rule
    from campaign_platforms p
   where p.app_id = p_app and p.campaign_id = p_campaign and p.platform = p_platform and p.grant_after is not null
     for update skip locked;
  -- Another process is at work, or nothing is due.
  if not found then
    return '{"granted": 0, "done": true}';
  end if;
  select g.referrer_id into v_end from referrer_progress g
   where g.app_id = p_app and g.referrer_id > v_rule.grant_after
   order by g.referrer_id, g.campaign_id, g.platform offset p_limit - 1 limit 1;
  -- Locked before their rewards are read. A confirmation, or an end of holds, that began under the old rule may not be counted yet, so
  -- rows that one more confirmation and the held referrals would bring to a reward are locked too, which waits for both. Only a
  -- referrer's very first confirmation has no row to lock; the next confirmation earns what is due.
  v_near := array(
    select g.referrer_id from referrer_progress g
     where g.app_id = p_app and g.campaign_id = p_campaign and g.platform = p_platform
       and g.referrer_id > v_rule.grant_after and (v_end is null or g.referrer_id <= v_end)
       and least((g.confirmed + g.held + 1) / v_rule.threshold, v_rule.reward_cap) + g.goodwill > g.earned - g.withdrawn
       -- Erased referrers earn nothing more.
       and not exists (
         select 1 from referrers f
          where f.app_id = p_app and f.id = g.referrer_id and f.status = 'ended' and f.uid like 'erased:%:' || f.id::text)
     order by g.referrer_id for update);
  for v_reward in
    select w.id from (
      select r.id, r.referrer_id, row_number() over (partition by r.referrer_id order by r.reward_number) as nth,
             count(*) over (partition by r.referrer_id) as back
        from rewards r
       where r.app_id = p_app and r.referrer_id = any(v_near) and r.campaign_id = p_campaign and r.platform = p_platform
         and r.status = 'withdrawn' and r.withdrawn_with is not null) w
      join referrer_progress g on g.app_id = p_app and g.referrer_id = w.referrer_id and g.campaign_id = p_campaign
       and g.platform = p_platform
     where w.nth <= least(g.confirmed / v_rule.threshold, v_rule.reward_cap) + g.goodwill - g.earned + w.back
     order by w.referrer_id, w.nth
  loop
    perform change_withdrawal(p_app, v_reward.id, 'restore', null);
    v_granted := v_granted + 1;
  end loop;
  for v_reward in with due as materialized (
    select g.referrer_id, g.earned, least(g.confirmed / v_rule.threshold, v_rule.reward_cap) + g.goodwill as due
      from referrer_progress g
     where g.app_id = p_app and g.campaign_id = p_campaign and g.platform = p_platform and g.referrer_id = any(v_near)
       and least(g.confirmed / v_rule.threshold, v_rule.reward_cap) + g.goodwill > g.earned
  ), raised as (
    -- A list and not a join, which a plan of a young table turns into a loop over all rows for each of these.
    update referrer_progress g set earned = least(g.confirmed / v_rule.threshold, v_rule.reward_cap) + g.goodwill
     where g.app_id = p_app and g.referrer_id = any(array(select n.referrer_id from due n))
       and g.campaign_id = p_campaign and g.platform = p_platform
  ), made as (
    insert into rewards (app_id, id, referrer_id, campaign_id, platform, reward_number)
    select p_app, new_id(), n.referrer_id, p_campaign, p_platform, number
      from due n cross join lateral generate_series(n.earned + 1, n.due) number
    on conflict (app_id, referrer_id, campaign_id, platform, reward_number) do nothing
    returning id, referrer_id, reward_number
  )
  select id, referrer_id, reward_number from made
  loop
    perform emit(p_app, 'reward.earned', jsonb_build_object(
      'reward_id', v_reward.id, 'referrer_id', v_reward.referrer_id, 'campaign_id', p_campaign,
      'platform', p_platform, 'reward_number', v_reward.reward_number));
    v_granted := v_granted + 1;
  end loop;
  update campaign_platforms set grant_after = v_end, granted = granted + v_granted
   where app_id = p_app and campaign_id = p_campaign and platform = p_platform;
  return jsonb_build_object('granted', v_granted, 'done', v_end is null);
end $$;

-- [{"platform", "referrers", "rewards", "waiting"}]: how many rewards become due, and for how many referrers, if {"ios": {"threshold",
-- "cap"}, ...} becomes the rule, and how many rewards already wait to be claimed. Leaves out erased referrers, who earn none and have
-- lost theirs. Reads the app's progress once.
create or replace function due_rewards(p_app uuid, p_campaign uuid, p_rules jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(due)), '[]') from (
      select g.platform,
             count(*) filter (where g.due > g.earned) as referrers,
             coalesce(sum(g.due - g.earned) filter (where g.due > g.earned), 0) as rewards,
             coalesce(sum(g.waiting), 0) as waiting
        from (
          select p.platform, p.referrer_id, p.earned - p.claimed - p.withdrawn as waiting, p.earned - case when p.withdrawn > 0 then (
                   select count(*) from rewards r
                    where r.app_id = p_app and r.referrer_id = p.referrer_id and r.campaign_id = p_campaign
                      and r.platform = p.platform and r.status = 'withdrawn' and r.withdrawn_with is not null)
                 else 0 end as earned, least(
                   p.confirmed / (p_rules -> p.platform ->> 'threshold')::int,
                   (p_rules -> p.platform ->> 'cap')::int) + p.goodwill as due
            from referrer_progress p where p.app_id = p_app and p.campaign_id = p_campaign) g
       where p_rules ? g.platform and g.referrer_id not in (
         select f.id from referrers f
          where f.app_id = p_app and f.status = 'ended' and f.uid like 'erased:%:' || f.id::text)
       group by g.platform) due);
end $$;
