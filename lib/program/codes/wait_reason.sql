-- The reason why a pool has no code for an end user now: `no_pool`, `no_codes`, `quarantined` (no others are left) or `same_offer`
-- (the end user, or a joined id, has had a code of every remaining offer); null if a code could be assigned.
create or replace function wait_reason(p_app uuid, p_pool uuid, p_platform text, p_uid text, p_margin interval)
returns text language plpgsql stable set enable_sort = off as $$
declare
  v_repeats boolean;
  v_left record;
  v_joined text[];
begin
  if p_pool is null then
    return 'no_pool';
  end if;
  v_repeats := repeats_offers(p_app, p_pool);
  select bool_or(b.state = 'ready') as ready, bool_or(b.state = 'quarantined') as quarantined,
         bool_or(b.state = 'ready' and (b.offer is null or v_repeats and b.kind <> 'custom')) as fitting,
         array_agg(b.offer) filter (where b.state = 'ready' and not exists (
           select 1 from offer_takers t
            where t.app_id = p_app and t.platform = p_platform collate "default" and t.offer = b.offer and t.uid = p_uid)) as offers
    into v_left
    from batches b
   where b.app_id = p_app and b.pool_id = p_pool and b.state in ('ready', 'quarantined')
     and (b.expires_at is null or b.expires_at > now() + p_margin)
     and (select true from codes c
           where c.app_id = p_app and c.batch_id = b.id and c.status = 'available' order by c.slot limit 1);
  if not v_left.fitting and v_left.offers is not null then
    v_joined := joined_ids(p_app, p_uid);
    v_left.fitting := v_joined = '{}' or exists (
      select 1 from unnest(v_left.offers) o (offer) where not exists (
        select 1 from unnest(v_joined) i (uid) cross join lateral (
          select 1 from offer_takers t
           where t.app_id = p_app and t.platform = p_platform collate "default" and t.offer = o.offer and t.uid = i.uid limit 1) t));
  end if;
  return case
    when v_left.fitting then null
    when v_left.ready then 'same_offer'
    when v_left.quarantined then 'quarantined'
    else 'no_codes' end;
end $$;

-- Seconds until a pool is expected to have a code for an end user: the rest of the time that its store usually takes, where codes are
-- requested or the pool refills itself; otherwise an hour, because a member has to upload them.
create or replace function expected_wait(p_app uuid, p_pool uuid, p_reason text, p_uid text) returns int
language plpgsql stable set enable_sort = off as $$
declare
  v_other boolean := coalesce(p_reason = 'same_offer', false);
  v_ids text[];
  v_margin interval;
  v_expected timestamptz;
  v_usual interval;
begin
  -- For `same_offer` only other offers count. Batches store an offer's name without outer spaces, cut to 80 characters.
  if v_other then
    v_ids := p_uid || joined_ids(p_app, p_uid);
  end if;
  select avg(r.ended_at - r.created_at) into v_usual from (
    select created_at, ended_at from code_requests
     where app_id = p_app and pool_id = p_pool and state = 'imported' order by created_at desc limit 5) r;
  v_usual := coalesce(v_usual, interval '5 minutes');
  -- No codes come before the next try at the store, and after a day a member has to give up the request.
  select min(greatest(r.created_at + v_usual, r.due_at)) into v_expected from code_requests r
   where r.app_id = p_app and r.pool_id = p_pool and r.state in ('asked', 'made') and r.created_at > now() - interval '1 day'
     and not (v_other and exists (
       select 1 from unnest(v_ids) i (uid) cross join lateral (
         select 1 from offer_takers t where t.app_id = p_app and t.platform = 'ios' and t.offer = btrim(left(btrim(r.offer_name), 80))
            and t.uid = i.uid limit 1) t));
  if v_expected is null and p_reason in ('no_codes', 'quarantined')
    and exists (select 1 from refill_rules where app_id = p_app and pool_id = p_pool) then
    -- The margin with which the refill counts: the longest of active campaigns, else of paused or draft ones, else of ended ones.
    select make_interval(hours => c.safety_margin_hours) into v_margin
      from campaign_platforms p join campaigns c on c.app_id = p_app and c.id = p.campaign_id
     where p.app_id = p_app and p_pool in (p.referee_pool_id, p.reward_pool_id)
     order by case c.status when 'active' then 2 when 'ended' then 0 else 1 end desc, c.safety_margin_hours desc limit 1;
  end if;
  if v_expected is null and not exists (
    select 1 from refill_rules r
     where r.app_id = p_app and r.pool_id = p_pool and r.enabled and r.stopped is null and (not v_other or exists (
       select 1 from jsonb_array_elements(r.later_offers || jsonb_build_object('name', r.offer_name)) o
        where not exists (
          select 1 from unnest(v_ids) i (uid) cross join lateral (
            select 1 from offer_takers t where t.app_id = p_app and t.platform = 'ios'
               and t.offer = btrim(left(btrim(o.value ->> 'name'), 80)) and t.uid = i.uid limit 1) t)))
       -- No refill comes while the pool has more codes than its threshold, even if this end user's campaign has a longer margin.
       and r.threshold >= (
         select count(*) from batches b cross join lateral (
           select 1 from codes c
            where c.app_id = p_app and c.batch_id = b.id and c.status = 'available' order by c.slot limit r.threshold + 1) f
          where b.app_id = p_app and b.pool_id = p_pool and b.state = 'ready' and b.expires_at > now() + v_margin)) then
    return 3600;
  end if;
  return greatest(60, ceil(extract(epoch from coalesce(v_expected, now() + v_usual) - now())));
end $$;
