-- Step 4 of section 4.3: the checks against fraud that the owner has switched on.

-- The statements below read `referrals` by a range of a single value, ordered by that column, which only the index in that order does
-- without a sort. With `=`, a plan made while the table was empty may pick any index, and that plan stays.

-- A referral in which one of the referees referred one of the referrers, in any campaign; null if there is none. A referee who was
-- erased as a referrer and has returned is recognised by the pseudonym.
create or replace function referred_before(p_app uuid, p_referees text[], p_referrers text[], p_pseudonym text) returns uuid
language plpgsql as $$
declare
  v_uid text;
  v_referral record;
begin
  foreach v_uid in array p_referrers loop
    for v_referral in
      select f.id, f.referrer_id from referrals f
       where f.app_id = p_app and f.referee_uid >= v_uid and f.referee_uid <= v_uid
       order by f.referee_uid, f.created_at
    loop
      perform 1 from referrers r
       where r.app_id = p_app and r.id = v_referral.referrer_id
         and (r.uid = any(p_referees) or r.uid = p_pseudonym || ':' || r.id);
      if found then
        return v_referral.id;
      end if;
    end loop;
  end loop;
  return null;
end $$;

-- The response of a campaign that refuses reciprocal referrals: CONFLICT if referrer and referee are one person by linked ids, or if
-- the referee has referred the referrer, in any campaign and under any of their ids; `refused_for` names that referral, whose release
-- lifts the refusal. Null if neither, or if the referee has a code here (step 5); ALONE if only a separate statement can decide.
create or replace function refers_back(
  p_app uuid, p_referrer uuid, p_referrer_uid text, p_campaign uuid, p_referee_uid text, p_pseudonym text, p_alone boolean)
returns jsonb language plpgsql as $$
declare
  v_referees text[] := array[p_referee_uid];
  v_referrers text[] := array[p_referrer_uid];
  v_linked boolean;
  v_own uuid;
  v_ids uuid[];
  v_id uuid;
  v_before uuid;
begin
  -- Most people have no linked ids. Each id is looked up separately: where most apps are small, a list of ids is planned as a filter
  -- over all links of the app.
  select exists (
           select 1 from unnest(array[p_referee_uid, p_referrer_uid]) i (uid) cross join lateral (
             (select from_uid from identity_links
               where app_id = p_app and from_uid >= i.uid and from_uid <= i.uid order by from_uid limit 1) union all
             (select to_uid from identity_links where app_id = p_app and to_uid >= i.uid and to_uid <= i.uid order by to_uid limit 1)) k),
         (select r.id from referrers r where r.app_id = p_app and r.uid = p_referee_uid)
    into v_linked, v_own;
  -- The referrer's row is locked even if the referee has no metacode: they may be getting one now.
  v_ids := case when v_own < p_referrer then array[v_own, p_referrer]
    when v_own > p_referrer then array[p_referrer, v_own] else array[p_referrer] end;
  if v_linked then
    v_referees := v_referees || joined_ids(p_app, p_referee_uid);
    v_referrers := v_referrers || joined_ids(p_app, p_referrer_uid);
    v_ids := array(
      select r.id from unnest(v_referees) i (uid) cross join lateral (
        select id from referrers where app_id = p_app and uid >= i.uid and uid <= i.uid order by uid limit 1) r
       union select p_referrer order by 1);
  end if;
  -- Locked in one order, so that of two people who redeem each other's metacode at once the second sees the first. A group never
  -- waits for a row: another group may hold it, and what a group finds may be undone.
  foreach v_id in array v_ids loop
    if p_alone then
      perform 1 from referrers where app_id = p_app and id = v_id for update;
    else
      perform 1 from referrers where app_id = p_app and id = v_id for update skip locked;
      if not found then
        return '{"verdict": "ALONE"}';
      end if;
    end if;
  end loop;
  if not v_linked then
    -- Most referrers were never referees, which one look-up shows.
    perform 1 from referrals f
      where f.app_id = p_app and f.referee_uid >= p_referrer_uid and f.referee_uid <= p_referrer_uid
      order by f.referee_uid, f.created_at limit 1;
    if not found then
      return null;
    end if;
  end if;
  if p_referrer_uid <> all(v_referees) then
    v_before := referred_before(p_app, v_referees, v_referrers, p_pseudonym);
    if v_before is null then
      return null;
    end if;
  end if;
  perform 1 from referrals where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid;
  if found then
    return null;
  elsif not p_alone then
    return '{"verdict": "ALONE"}';
  elsif v_before is null then
    return '{"verdict": "CONFLICT", "reason": "self_referral"}';
  end if;
  return jsonb_build_object('verdict', 'CONFLICT', 'reason', 'reciprocal', 'refused_for', v_before);
end $$;

-- The cap of a referrer's codes in 24 hours: 'within', 'over', or 'alone' where only a separate statement can decide. A referee who
-- already has a code does not count again. p_locked: the caller already holds the referrer's row.
create or replace function daily_cap(
  p_app uuid, p_referrer uuid, p_campaign uuid, p_referee_uid text, p_cap int, p_alone boolean, p_locked boolean)
returns text language plpgsql as $$
begin
  -- Parallel redeems queue for the row, because otherwise all of them would see the same count. A group never waits: another group
  -- may hold the row, and a place counted in a group may be undone.
  if p_alone and not p_locked then
    perform 1 from referrers where app_id = p_app and id = p_referrer for update;
  elsif not p_locked then
    perform 1 from referrers where app_id = p_app and id = p_referrer for update skip locked;
    if not found then
      return 'alone';
    end if;
  end if;
  if p_cap > (
    select count(*) from (
      select 1 from referrals
       where app_id = p_app and referrer_id >= p_referrer and referrer_id <= p_referrer
         and created_at > now() - interval '24 hours'
       order by referrer_id, created_at limit p_cap) r) then
    return 'within';
  end if;
  perform 1 from referrals where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid;
  if found then
    return 'within';
  end if;
  return case when p_alone then 'over' else 'alone' end;
end $$;
