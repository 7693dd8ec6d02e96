-- The campaign of a referrer: its own, else the app's active referral campaign, else the one activated or resumed last.
create or replace function campaign_of(p_app uuid, p_campaign uuid) returns campaigns language plpgsql stable as $$
declare
  v_campaign campaigns;
begin
  if p_campaign is not null then
    select * into v_campaign from campaigns where app_id = p_app and id = p_campaign;
    return v_campaign;
  end if;
  select * into v_campaign from campaigns
   where app_id = p_app and type = 'referral' and activated_at is not null
   order by (status = 'active') desc, greatest(activated_at, resumed_at) desc limit 1;
  return v_campaign;
end $$;

-- Counts the free codes of a batch, up to p_most.
create or replace function free_codes(p_app uuid, p_batch uuid, p_most int) returns int
language plpgsql stable set enable_sort = off as $$
begin
  return (
    select count(*) from (
      select 1 from codes
       where app_id = p_app and batch_id = p_batch and status = 'available' order by slot limit p_most) f);
end $$;

-- Counts the codes of a pool that a claim by an end user finds now, up to p_most, in the order of take_code: one of each named offer
-- that none of their ids has had, and all if the pool repeats offers. p_taken: the codes by batch, and the offers, that this claim
-- has taken before; `taken` adds those of this pool. `free` counts the codes that were left before, whether they fit or not.
create or replace function claimable_codes(
  p_app uuid, p_pool uuid, p_platform text, p_uid text, p_margin interval, p_most int, p_taken jsonb default '{}',
  out fitting int, out free int, out taken jsonb)
language plpgsql stable as $$
declare
  v_repeats boolean := coalesce(repeats_offers(p_app, p_pool), false);
  v_again boolean;
  v_batch record;
  v_joined text[];
  v_offer text;
  v_before int;
  v_codes int;
begin
  fitting := 0;
  free := 0;
  taken := p_taken;
  foreach v_again in array array[false, true] loop
    exit when v_again and not v_repeats;
    for v_batch in
      select n.id, n.offer, n.kind, exists (
               select 1 from offer_takers t
                where t.app_id = p_app and t.platform = p_platform and t.offer = n.offer and t.uid = p_uid) as had
        from batches n
       where n.app_id = p_app and n.pool_id = p_pool and n.state = 'ready'
         and (n.expires_at is null or n.expires_at > now() + p_margin)
       order by case when n.offer is not null then array_position(
                  (select p.offers from pools p where p.app_id = p_app and p.id = p_pool), n.offer) end nulls last,
                n.expires_at nulls last, n.id
    loop
      exit when fitting >= p_most;
      continue when v_again and (v_batch.offer is null or v_batch.kind = 'custom');
      v_offer := p_platform || ' ' || v_batch.offer;
      v_before := coalesce((taken ->> v_batch.id::text)::int, 0);
      v_codes := free_codes(p_app, v_batch.id, v_before + p_most) - v_before;
      if not v_again then
        free := free + v_codes;
        continue when v_batch.had or taken ? v_offer;
        if v_batch.offer is not null then
          v_joined := coalesce(v_joined, joined_ids(p_app, p_uid));
          continue when v_joined <> '{}' and had_offer(p_app, p_platform, v_batch.offer, v_joined);
        end if;
      end if;
      v_codes := least(v_codes, p_most - fitting, case when v_batch.offer is not null and not v_again then 1 end);
      continue when v_codes = 0;
      fitting := fitting + v_codes;
      taken := taken || jsonb_build_object(v_batch.id, v_before + v_codes);
      if v_batch.offer is not null then
        taken := taken || jsonb_build_object(v_offer, 1);
      end if;
    end loop;
  end loop;
end $$;

-- Why earned rewards of a referrer would find no code now: [{"campaign_id", "counted_on", "platform", "tried", "rewards",
-- "claimable", "reason"}] in the order of a claim, because these may share a pool or budget. The first `claimable` find codes, the
-- others wait for the reason. `platform` is that of a claim from the last phone; `tried` lists those of the last claims (null: none).
create or replace function wait_reasons(p_app uuid, p_referrer uuid, p_uid text) returns jsonb
language plpgsql stable as $$
declare
  v_group record;
  v_codes record;
  -- Codes by batch, offers, and rewards by campaign that earlier groups take.
  v_taken jsonb := '{}';
  v_left int;
  v_claimable int;
  v_reasons jsonb := '[]';
begin
  for v_group in
    select w.rewards, w.campaign_id, w.counted_on, w.platform, w.tried, p.reward_pool_id, make_interval(hours => c.safety_margin_hours) as margin,
           c.reward_budget - c.spent_rewards as budget
      from (
        select r.campaign_id, r.platform as counted_on, coalesce(o.platform, r.platform) as platform,
               jsonb_agg(distinct r.waits_on) as tried, count(*)::int as rewards
          from rewards r
          join referrers f on f.app_id = p_app and f.id = r.referrer_id
          join campaigns c on c.app_id = p_app and c.id = r.campaign_id
          left join lateral (
            select s.platform from campaign_platforms s
             where s.app_id = p_app and s.campaign_id = r.campaign_id and s.platform in (
               r.platform, reward_platform(c.rewards_on, r.platform, r.waits_on, f.metadata))
             order by s.reward_pool_id is null, s.platform = r.platform limit 1) o on true
         where r.app_id = p_app and r.referrer_id = p_referrer and r.status = 'earned'
         group by 1, 2, 3) w
      join campaigns c on c.app_id = p_app and c.id = w.campaign_id
      left join campaign_platforms p
        on p.app_id = p_app and p.campaign_id = w.campaign_id and p.platform = w.platform
     order by w.campaign_id, w.counted_on, w.platform
  loop
    v_left := v_group.budget - coalesce((v_taken ->> v_group.campaign_id::text)::int, 0);
    v_codes := claimable_codes(
      p_app, v_group.reward_pool_id, v_group.platform, p_uid, v_group.margin, greatest(least(v_group.rewards, v_left), 0), v_taken);
    v_claimable := v_codes.fitting;
    v_reasons := v_reasons || jsonb_build_object(
      'campaign_id', v_group.campaign_id, 'counted_on', v_group.counted_on, 'platform', v_group.platform,
      'tried', v_group.tried, 'rewards', v_group.rewards, 'claimable', v_claimable,
      'reason', case
        when v_claimable = v_group.rewards then null
        when v_claimable >= v_left then 'budget'
        else coalesce(
          wait_reason(p_app, v_group.reward_pool_id, v_group.platform, p_uid, v_group.margin),
          case when v_codes.free > v_codes.fitting then 'same_offer' else 'no_codes' end) end);
    continue when v_claimable = 0;
    v_taken := v_codes.taken || jsonb_build_object(
      v_group.campaign_id, coalesce((v_taken ->> v_group.campaign_id::text)::int, 0) + v_claimable);
  end loop;
  return v_reasons;
end $$;

-- A referrer with its stats and progress (sections 2.1 to 2.3), or {"verdict": "NOT_FOUND"}. Counts the request's quota
-- in the same round trip.
create or replace function get_referrer(
  p_app uuid, p_uid text, p_workspace uuid, p_quota_limit bigint, p_quota_units int)
returns jsonb language plpgsql as $$
declare
  v_quota jsonb;
  v_referrer referrers;
  v_campaign campaigns;
  v_stats record;
  v_back jsonb;
  v_progress jsonb;
  v_waiting int;
begin
  if p_quota_units > 0 then
    v_quota := take_quota(p_app, p_workspace, p_quota_limit, p_quota_units);
    if v_quota ->> 'granted' = '0' then
      return jsonb_build_object('verdict', 'RATE_LIMITED', 'quota', v_quota);
    end if;
  end if;
  select * into v_referrer from referrers where app_id = p_app and uid = p_uid;
  if not found then
    return jsonb_build_object('verdict', 'NOT_FOUND', 'quota', v_quota);
  end if;
  v_campaign := campaign_of(p_app, v_referrer.campaign_id);
  select coalesce(sum(confirmed), 0) as confirmed, coalesce(sum(held), 0) as held, coalesce(sum(earned), 0) as earned,
         coalesce(sum(claimed), 0) as claimed, coalesce(sum(withdrawn), 0) as withdrawn
    into v_stats
    from referrer_progress where app_id = p_app and referrer_id = v_referrer.id;
  if v_stats.earned > v_stats.claimed + v_stats.withdrawn then
    select sum((x.value ->> 'rewards')::int - (x.value ->> 'claimable')::int) into v_waiting
      from jsonb_array_elements(wait_reasons(p_app, v_referrer.id, p_uid)) x;
  end if;
  -- Rewards withdrawn by reversals do not count: the referrals that make them due again bring them back.
  if v_stats.withdrawn > 0 then
    select jsonb_object_agg(w.platform, w.rewards) into v_back from (
      select platform, count(*) as rewards from rewards
       where app_id = p_app and referrer_id = v_referrer.id and campaign_id = v_campaign.id
         and status = 'withdrawn' and withdrawn_with is not null
       group by platform) w;
  end if;
  select jsonb_object_agg(p.platform, jsonb_build_object(
           'confirmed', coalesce(g.confirmed, 0), 'threshold', p.threshold, 'cap', p.reward_cap,
           'earned', coalesce(g.earned - g.goodwill, 0) - coalesce((v_back ->> p.platform)::int, 0)))
    into v_progress
    from campaign_platforms p
    left join referrer_progress g on g.app_id = p_app and g.referrer_id = v_referrer.id
         and g.campaign_id = p.campaign_id and g.platform = p.platform
   where p.app_id = p_app and p.campaign_id = v_campaign.id;
  return jsonb_build_object(
    'verdict', 'OK', 'referrer_id', v_referrer.id, 'slug', v_referrer.slug, 'status', v_referrer.status,
    'campaign_type', v_campaign.type,
    'campaign_status', case when v_campaign.ends_at <= now() then 'ended' else v_campaign.status end,
    'confirmed', v_stats.confirmed, 'earned', v_stats.earned, 'claimed', v_stats.claimed, 'withdrawn', v_stats.withdrawn, 'held', v_stats.held,
    'waiting', coalesce(v_waiting, 0),
    'progress', coalesce(v_progress, '{}'), 'quota', v_quota);
end $$;
