-- Locks a free code of one batch and returns its id: from a random slot to the end, then from the start. Taking from one end walks
-- over every used code while any session holds an old snapshot (measured: 1,053 -> 190/s; random stays at 3,900/s). Sorting is off,
-- here and in await_code and mark_drained, so that they read in index order even where it looks expensive (docs/decisions/speed.md).
create or replace function lock_code(p_app uuid, p_batch uuid) returns uuid language plpgsql set enable_sort = off as $$
declare
  v_slot int := floor(random() * 2147483647);
  v_id uuid;
begin
  select id into v_id from codes
   where app_id = p_app and batch_id = p_batch and status = 'available' and slot >= v_slot
   order by slot limit 1 for update skip locked;
  if not found then
    select id into v_id from codes
     where app_id = p_app and batch_id = p_batch and status = 'available' and slot < v_slot
     order by slot limit 1 for update skip locked;
  end if;
  return v_id;
end $$;

-- Waits for a code of a batch whose free codes are all locked; null if none becomes free or the batch is no longer open.
create or replace function await_code(p_app uuid, p_batch uuid) returns uuid language plpgsql set enable_sort = off as $$
declare
  v_id uuid;
begin
  select id into v_id from codes
   where app_id = p_app and batch_id = p_batch and status = 'available'
   order by slot limit 1 for update;
  perform 1 from batches where app_id = p_app and id = p_batch and state = 'ready';
  return case when found then v_id end;
end $$;

-- Marks an empty batch, so that later requests skip it; only a code that was set aside and becomes free opens it again. The pool is
-- exhausted once no campaign may assign its codes: the other batches are empty, or expire within the safety margin.
create or replace function mark_drained(p_app uuid, p_pool uuid, p_batch uuid) returns void
language plpgsql set enable_sort = off as $$
declare
  v_pool jsonb;
  v_until timestamptz;
begin
  -- While codes are left nothing is locked, because the caller may have to wait for them.
  perform 1 from codes where app_id = p_app and batch_id = p_batch and status = 'available' order by slot limit 1;
  if found then
    return;
  end if;
  -- Skips a row that another caller is marking. Not `for update`, beside which set_aside would find the batch in use and stop.
  perform 1 from batches where app_id = p_app and id = p_batch and state = 'ready' for no key update skip locked;
  if not found then
    return;
  end if;
  -- A code that was set aside may have become free again before the row was locked.
  perform 1 from codes where app_id = p_app and batch_id = p_batch and status = 'available' order by slot limit 1;
  if found then
    return;
  end if;
  -- The smallest margin of all campaigns that assign its codes; an ended campaign still pays its rewards.
  v_until := now() + make_interval(hours => coalesce((
    select min(c.safety_margin_hours)
      from campaign_platforms p join campaigns c on c.app_id = p_app and c.id = p.campaign_id
     where p.app_id = p_app and (p.referee_pool_id = p_pool and c.status in ('active', 'paused')
        or p.reward_pool_id = p_pool and c.status <> 'draft')), 0));
  -- Another transaction may be marking the pool's last other batch without seeing this one. Then only the batch with the lower id is
  -- marked, and the next request, which finds the other one empty, emits the event.
  perform 1 from batches
    where app_id = p_app and pool_id = p_pool and state = 'ready' and (expires_at is null or expires_at > v_until) and id <> p_batch
    limit 1 for share skip locked;
  if not found and exists (
    select 1 from batches where app_id = p_app and pool_id = p_pool and state = 'ready' and (expires_at is null or expires_at > v_until)
       and id < p_batch) then
    return;
  end if;
  update batches set state = 'drained' where app_id = p_app and id = p_batch;
  if not exists (
    select 1 from batches where app_id = p_app and pool_id = p_pool and state = 'ready' and (expires_at is null or expires_at > v_until)) then
    select jsonb_build_object('pool_id', id, 'name', name, 'platform', platform, 'use', use) into v_pool
      from pools where app_id = p_app and id = p_pool;
    perform emit(p_app, 'pool.exhausted', v_pool);
  end if;
end $$;

-- The ids joined with p_uid; to a store they are one customer. Most people have none.
create or replace function joined_ids(p_app uuid, p_uid text) returns text[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  -- Ordered look-ups as in linked_uids, but both in one expression: half of the time of a call for an id without links.
  if (select true from identity_links where app_id = p_app and from_uid >= p_uid and from_uid <= p_uid order by from_uid limit 1)
    or (select true from identity_links where app_id = p_app and to_uid >= p_uid and to_uid <= p_uid order by to_uid limit 1) then
    return array(select x.value ->> 'uid' from jsonb_array_elements(linked_uids(p_app, array[p_uid])) x);
  end if;
  return '{}';
end $$;

-- Whether one of these ids has had a code of a named offer. Each id is looked up separately: where most apps are small, a
-- list is planned as a filter over everyone who has had the offer. Ids from a column bring the collation "C" to all texts of
-- a call, and no index of platforms has it.
create or replace function had_offer(p_app uuid, p_platform text, p_offer text, p_ids text[]) returns boolean
language plpgsql stable as $$
begin
  return p_ids <> '{}' and exists (
    select 1 from unnest(p_ids) i (uid) cross join lateral (
      select 1 from offer_takers
       where app_id = p_app and platform = p_platform collate "default" and offer = p_offer and uid = i.uid limit 1) t);
end $$;

-- The offers of a pool's batches of which one of these ids has had a code, or has one set aside.
create or replace function offers_of(p_app uuid, p_pool uuid, p_platform text, p_ids text[]) returns text[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select n.offer
      from (select distinct b.offer from batches b
             where b.app_id = p_app and b.pool_id = p_pool and b.state = 'ready' and b.offer is not null) n
     where exists (
       select 1 from unnest(p_ids) i (uid) cross join lateral (
         select 1 from offer_takers
          where app_id = p_app and platform = p_platform collate "default" and offer = n.offer and uid = i.uid limit 1) t)
    union all
    -- A range of a single value in index order, because another plan may read all of a long line.
    select b.offer from unnest(p_ids) u (uid)
     cross join lateral (
       select code_id from referees_in_line
        where app_id = p_app and referee_uid >= u.uid and referee_uid <= u.uid and code_id is not null order by referee_uid) o
     cross join lateral (select batch_id from codes where app_id = p_app and id = o.code_id and platform = p_platform limit 1) c
      join batches b on b.app_id = p_app and b.id = c.batch_id and b.offer is not null);
end $$;

-- Whether one of these ids has had the offer of a code that is set aside: then no redeem of that person assigns the code.
create or replace function had_reserved(p_app uuid, p_code uuid, p_ids text[]) returns boolean language plpgsql stable as $$
begin
  return p_ids <> '{}' and exists (
    select 1
      from (select batch_id, platform from codes where app_id = p_app and id = p_code limit 1) c
     cross join lateral (select pool_id, kind, offer from batches where app_id = p_app and id = c.batch_id limit 1) b
      join pools p on p.app_id = p_app and p.id = b.pool_id and (p.platform = 'ios' or p.one_per_offer or b.kind = 'custom')
     cross join unnest(p_ids) i (uid) cross join lateral (
       select 1 from offer_takers where app_id = p_app and platform = c.platform and offer = b.offer and uid = i.uid limit 1) t);
end $$;

-- Stores that this end user takes a code of a named offer; false if they have had one. The primary key decides, so only one of two
-- parallel requests succeeds. An existing row is locked without an update, so that no return_offer deletes it while a further code of
-- Google Play is being assigned.
create or replace function take_offer(p_app uuid, p_platform text, p_offer text, p_uid text) returns boolean
language plpgsql as $$
begin
  insert into offer_takers (app_id, platform, offer, uid) values (p_app, p_platform, p_offer, p_uid)
  on conflict (app_id, platform, offer, uid) do update set created_at = offer_takers.created_at where false;
  return found;
end $$;

-- Returns the offer of a voided code to its end user: the code was never redeemed, so the offer is still open to them at the store.
create or replace function return_offer(p_app uuid, p_code codes) returns void language plpgsql as $$
declare
  v_offer text := (select offer from batches where app_id = p_app and id = p_code.batch_id);
begin
  perform free_offer(p_app, p_code.platform, v_offer, p_code.redeemed_by_uid);
end $$;

-- Whether a pool assigns an end user a further code of a named offer: never for the App Store, which lets a customer
-- redeem one code per offer; for Google Play unless the owner says otherwise, but never a custom code, which is the same text again.
create or replace function repeats_offers(p_app uuid, p_pool uuid) returns boolean language plpgsql stable as $$
begin
  return (select platform = 'android' and not one_per_offer from pools where app_id = p_app and id = p_pool);
end $$;

-- Assigns one free code of the pool to p_uid for the referral or reward p_assignment; returns {"id", "code", "kind"} or null. Skips
-- codes that expire within p_margin and the batches p_except. p_wait: if no batch has a free code, looks again and waits for locked
-- ones. True only if the caller holds no other code, because two callers could wait for each other.
create or replace function take_code(
  p_app uuid, p_pool uuid, p_platform text, p_uid text, p_margin interval, p_assignment uuid, p_referrer uuid,
  p_wait boolean, p_except uuid[])
returns jsonb language plpgsql as $$
declare
  v_waiting boolean;
  v_again boolean;
  v_had boolean;
  v_skipped boolean;
  v_joined text[];
  v_batch record;
  v_id uuid;
  v_code text;
begin
  foreach v_waiting in array case when p_wait then array[false, true] else array[false] end loop
    v_skipped := false;
    -- First the offers that p_uid has not had, under any joined id, in the order of the pool's offers and then of expiry; then the
    -- others, if the pool repeats offers.
    foreach v_again in array array[false, true] loop
      exit when v_again and not (v_skipped and repeats_offers(p_app, p_pool));
      -- The pool's offers are read only once a batch names one.
      for v_batch in
        select id, kind, offer from batches
         where app_id = p_app and pool_id = p_pool and state = 'ready'
           and (expires_at is null or expires_at > now() + p_margin)
         order by case when offer is not null then array_position(
                    (select p.offers from pools p where p.app_id = p_app and p.id = p_pool), offer) end nulls last,
                  expires_at nulls last, id
      loop
        continue when v_batch.id = any(p_except);
        v_had := false;
        if v_batch.offer is not null then
          -- Before a code is locked: one that p_uid may not take would keep others waiting, and two such callers could deadlock.
          v_had := coalesce((
            select true from offer_takers
             where app_id = p_app and platform = p_platform collate "default" and offer = v_batch.offer and uid = p_uid), false);
          if not v_had then
            v_joined := coalesce(v_joined, joined_ids(p_app, p_uid));
            v_had := v_joined <> '{}' and had_offer(p_app, p_platform, v_batch.offer, v_joined);
          end if;
          v_skipped := v_skipped or v_had;
        end if;
        continue when v_had <> v_again or v_again and v_batch.kind = 'custom';
        v_id := case when v_waiting then await_code(p_app, v_batch.id) else lock_code(p_app, v_batch.id) end;
        if v_id is null then
          perform mark_drained(p_app, p_pool, v_batch.id);
          continue;
        end if;
        -- Stored even if only a joined id has had the offer, because a link may end.
        if v_batch.offer is not null and not take_offer(p_app, p_platform, v_batch.offer, p_uid) and not v_had then
          v_skipped := true;
          continue;
        end if;
        update codes set status = 'assigned', redeemed_by_uid = p_uid, referrer_id = p_referrer,
               assignment_id = p_assignment, assigned_at = now()
         where app_id = p_app and id = v_id
        returning code into v_code;
        return jsonb_build_object('id', v_id, 'code', v_code, 'kind', v_batch.kind);
      end loop;
    end loop;
  end loop;
  return null;
end $$;
