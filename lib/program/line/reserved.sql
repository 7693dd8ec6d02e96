-- The codes that are set aside for referees in line.

-- The id under which a code is set aside for a referee: their own or, with p_joined, a joined one; null if there is none. After the 48
-- hours the code stays the referee's until a round frees it, unless its time was set to 1970 because the referee is erased or the
-- person has another code.
create or replace function reserved_uid(p_app uuid, p_campaign uuid, p_referee_uid text, p_joined boolean) returns text
language plpgsql stable as $$
declare
  v_ids text[];
begin
  perform 1 from referees_in_line
    where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid and reserved_until > to_timestamp(0);
  if found then
    return p_referee_uid;
  elsif not p_joined then
    return null;
  end if;
  v_ids := joined_ids(p_app, p_referee_uid);
  if v_ids = '{}' then
    return null;
  end if;
  return (
    select l.referee_uid from unnest(v_ids) i (uid) cross join lateral (
      select referee_uid, place from referees_in_line where app_id = p_app and campaign_id = p_campaign
         and referee_uid >= i.uid and referee_uid <= i.uid and reserved_until > now() order by referee_uid limit 1) l
     order by l.place limit 1);
end $$;

-- Assigns the code set aside for a referee, with p_joined under any of their ids. Null if there is none, if its batch was withdrawn or
-- expires too soon, or if the referee has had its offer since, under any of their ids.
create or replace function take_reserved(
  p_app uuid, p_campaign uuid, p_platform text, p_uid text, p_margin interval, p_assignment uuid, p_referrer uuid, p_joined boolean)
returns jsonb language plpgsql as $$
declare
  v_uid text := reserved_uid(p_app, p_campaign, p_uid, p_joined);
  v_code record;
begin
  if v_uid is null then
    return null;
  end if;
  select l.code_id as id, b.kind, b.offer, b.pool_id into v_code
    from referees_in_line l
    join codes c on c.app_id = p_app and c.id = l.code_id and c.status = 'reserved'
    join batches b on b.app_id = p_app and b.id = c.batch_id
   where l.app_id = p_app and l.campaign_id = p_campaign and l.referee_uid = v_uid and c.platform = p_platform
     and l.reserved_until > to_timestamp(0) and b.state in ('ready', 'drained')
     and (b.expires_at is null or b.expires_at > now() + p_margin)
     for update of l;
  if not found or had_reserved(p_app, v_code.id, joined_ids(p_app, p_uid))
    or v_code.offer is not null and not take_offer(p_app, p_platform, v_code.offer, p_uid)
    and (v_code.kind = 'custom' or not repeats_offers(p_app, v_code.pool_id)) then
    return null;
  end if;
  delete from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = v_uid;
  update codes set status = 'assigned', redeemed_by_uid = p_uid, referrer_id = p_referrer,
         assignment_id = p_assignment, assigned_at = now()
   where app_id = p_app and id = v_code.id;
  return (select jsonb_build_object('id', v_code.id, 'code', code, 'kind', v_code.kind, 'reserved', true)
            from codes where app_id = p_app and id = v_code.id);
end $$;

-- Whether one of the joined ids p_ids has a place in the campaign that comes before this one: a place with a code set aside (only an
-- earlier one if this place has the code p_code), or an earlier place of p_platform whose referrer is active.
create or replace function has_other_place(
  p_app uuid, p_campaign uuid, p_ids text[], p_place uuid, p_code uuid, p_platform text default null)
returns boolean language plpgsql as $$
begin
  return p_ids <> '{}' and exists (
    select 1 from unnest(p_ids) i (uid) cross join lateral (
      select * from referees_in_line where app_id = p_app and campaign_id = p_campaign
         and referee_uid >= i.uid and referee_uid <= i.uid order by referee_uid limit 1) l
     where l.state = 'waiting' and case
       when l.code_id is not null then l.reserved_until > now() and (p_code is null or l.place < p_place)
       else l.platform = p_platform and l.place < p_place and l.created_at > now() - interval '30 days' and exists (
         select 1 from referrers r where r.app_id = p_app and r.id = l.referrer_id and r.status = 'active') end);
end $$;

-- Ends the time of codes set aside for referees who already have a code of the other store, or who under a joined id got a code after
-- they joined the line, have an earlier place with a code, or have had the offer. end_places frees the codes; in the last case the
-- places stay. Skips places that another process holds.
create or replace function end_taken_places(p_app uuid) returns void
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_place record;
  v_ids text[];
begin
  -- Not part of a redeem, because each redeem would have to look for such places.
  perform end_paused(p_app);
  perform end_useless(p_app);
  update referees_in_line set reserved_until = now()
   where app_id = p_app and code_id = any(array(
     -- Each referral is looked up by its key: a join may read all referrals of the app.
     select l.code_id from referees_in_line l
      cross join lateral (
        select 1 from referrals f where f.app_id = p_app and f.campaign_id = l.campaign_id
           and f.referee_uid >= l.referee_uid and f.referee_uid <= l.referee_uid order by f.referee_uid limit 1) f
      where l.app_id = p_app and l.code_id is not null and l.reserved_until > now()
      order by l.place for update of l skip locked));
  for v_place in
    select l.campaign_id, l.referee_uid, l.created_at, l.place, l.code_id from referees_in_line l
     where l.app_id = p_app and l.code_id is not null and l.reserved_until > now() and (
       exists (select 1 from identity_links i where i.app_id = p_app and i.from_uid = l.referee_uid)
       or exists (select 1 from identity_links i where i.app_id = p_app and i.to_uid = l.referee_uid))
     -- All of a long line would exceed the statement timeout, and so might 1,000 on a busy cluster; the next check looks at others.
     order by random() limit 1000 for update of l skip locked
  loop
    v_ids := joined_ids(p_app, v_place.referee_uid);
    perform 1 from unnest(v_ids) i (uid) cross join lateral (select created_at from referrals where app_id = p_app
      and campaign_id = v_place.campaign_id and referee_uid >= i.uid and referee_uid <= i.uid order by referee_uid limit 1) f
     where f.created_at > v_place.created_at;
    if found or has_other_place(p_app, v_place.campaign_id, v_ids, v_place.place, v_place.code_id) then
      update referees_in_line set reserved_until = to_timestamp(0)
       where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
    elsif had_reserved(p_app, v_place.code_id, v_ids) then
      update referees_in_line set reserved_until = now()
       where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
    end if;
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;
end $$;

-- Ends the time of codes set aside that no redeem would assign: the referee was dismissed, waits on another platform or has had the
-- offer since, or the batch was withdrawn while another process held the place. end_places frees the codes, and the places stay. Each
-- check sees only a part of a long line.
create or replace function end_useless(p_app uuid) returns void language plpgsql as $$
declare
  v_codes uuid[] := array(
    -- Each code is looked up by its key: a join may read all codes of the app, at each check.
    select l.code_id
      from (select campaign_id, code_id, referee_uid, platform from referees_in_line
             where app_id = p_app and code_id is not null and reserved_until > now() order by random() limit 10000) l
      cross join lateral (select batch_id, platform from codes where app_id = p_app and id = l.code_id limit 1) c
      cross join lateral (select pool_id, state, kind, offer, expires_at from batches where app_id = p_app and id = c.batch_id limit 1) b
      cross join lateral (select safety_margin_hours as hours from campaigns where app_id = p_app and id = l.campaign_id limit 1) k
     where c.platform <> l.platform or b.state in ('quarantined', 'undone') or b.expires_at <= now() + make_interval(hours => k.hours)
       or exists (
         select 1 from offer_takers t
          where t.app_id = p_app and t.platform = c.platform and t.offer = b.offer and t.uid = l.referee_uid)
       and (b.kind = 'custom' or (select platform = 'ios' or one_per_offer from pools where app_id = p_app and id = b.pool_id)));
begin
  -- Finds and locks in one statement, because an approval may change the state in between.
  update referees_in_line set reserved_until = now()
   where app_id = p_app and code_id = any(array(
     select code_id from referees_in_line
      where app_id = p_app and state = 'dismissed' and code_id is not null and reserved_until > now()
      order by place limit 10000 for update skip locked));
  update referees_in_line set reserved_until = now()
   where app_id = p_app and code_id = any(array(
     select code_id from referees_in_line
      where app_id = p_app and code_id = any(v_codes) and reserved_until > now() order by place for update skip locked));
end $$;

-- Ends places in line that are over: 48 hours after a code was set aside, 30 days after the arrival if none is, or once the campaign
-- has ended. A reserved code becomes free again, and its batch is open again. Returns the pools that gained codes.
create or replace function end_places(p_app uuid, p_limit int) returns jsonb language plpgsql as $$
declare
  v_place record;
  v_batch record;
  v_pools jsonb := '{}';
begin
  perform lock_budgets(p_app);
  for v_place in
    select l.campaign_id, l.referee_uid, l.platform, l.code_id, make_interval(hours => c.safety_margin_hours) as margin,
           not o.gone and l.reserved_until is distinct from to_timestamp(0) and l.created_at > now() - interval '30 days' as lasts,
           -- No redeem could fetch the code: the place is held or dismissed, the campaign or referrer is paused, or the campaign
           -- began after the code was set aside or has left the platform.
           l.state <> 'waiting' or c.status = 'paused' or r.status = 'paused'
             or c.starts_at > l.reserved_until - interval '48 hours' or not exists (
               select 1 from campaign_platforms p
                where p.app_id = p_app and p.campaign_id = l.campaign_id and p.platform = l.platform) as held,
           l.beyond is not null as approved
      from (
        (select campaign_id, referee_uid from referees_in_line
          where app_id = p_app and reserved_until <= now() order by reserved_until limit p_limit)
        union
        (select campaign_id, referee_uid from referees_in_line
          where app_id = p_app and code_id is null and created_at <= now() - interval '30 days' order by created_at limit p_limit)
        union
        (select l.campaign_id, l.referee_uid from campaigns c cross join lateral (
           select campaign_id, referee_uid from referees_in_line
            where app_id = p_app and campaign_id = c.id order by referee_uid limit p_limit) l
          where c.app_id = p_app and c.status = 'ended' limit p_limit)) d
      join referees_in_line l on l.app_id = p_app and l.campaign_id = d.campaign_id and l.referee_uid = d.referee_uid
      join campaigns c on c.app_id = p_app and c.id = l.campaign_id
      left join referrers r on r.app_id = p_app and r.id = l.referrer_id
      cross join lateral (
        select c.status = 'ended' or exists (
          select 1 from referrals f
           where f.app_id = p_app and f.campaign_id = l.campaign_id and f.referee_uid = l.referee_uid) as gone) o
     -- Checked again once the row is locked: its time may have been restarted, or another code set aside.
     where c.status = 'ended' or l.reserved_until <= now() or l.code_id is null and l.created_at <= now() - interval '30 days'
     -- Places with a code first: others wait for it, and only these make the caller look for more.
     order by l.code_id is null, l.place limit p_limit for update of l skip locked
  loop
    if v_place.code_id is not null then
      -- Locked first, because a redeem that finds no free code marks the batch as empty. A redeem that holds it may wait for this
      -- place, so the place is left to the next round.
      select b.id, b.pool_id, coalesce(b.expires_at <= now() + v_place.margin, false) or c.platform <> v_place.platform
             or b.state in ('quarantined', 'undone') as useless
        into v_batch
        from codes c join batches b on b.app_id = p_app and b.id = c.batch_id
       where c.app_id = p_app and c.id = v_place.code_id and c.status = 'reserved' for update of b skip locked;
      continue when not found;
      update codes set status = 'available' where app_id = p_app and id = v_place.code_id and status = 'reserved';
      perform spend_budget(p_app, v_place.campaign_id, 'referee', -1);
      update batches set state = 'ready' where app_id = p_app and id = v_batch.id and state = 'drained';
      v_batch.useless := v_batch.useless or had_reserved(
        p_app, v_place.code_id, v_place.referee_uid || joined_ids(p_app, v_place.referee_uid));
      v_pools := v_pools || jsonb_build_object(v_batch.pool_id, true);
      -- Within the 30 days a place outlasts a code that its referee could not redeem, and so does an approval, outside the line. A
      -- place that ended in 1970 does not: its referee is erased or has another place.
      if v_place.lasts and (v_place.held or v_batch.useless or v_place.approved) then
        update referees_in_line
           set code_id = null, reserved_until = null, state = case when v_place.held or v_batch.useless then state else 'approved' end
         where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
        continue;
      end if;
    end if;
    delete from referees_in_line
     where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
  end loop;
  return coalesce((select jsonb_agg(pool) from jsonb_object_keys(v_pools) pool), '[]');
end $$;
