-- The line of a campaign on a platform: referees who found its pool empty, in the order of their arrival. New codes are set aside for
-- them for 48 hours, outside the index of free codes. A place in the state `review` awaits a member's decision and gets no code. One
-- in the state `approved` has had its time: it may redeem over caps, and rejoins the line if it finds no code.

-- Whether a referrer has brought p_most referees into the line or, where a redeem is over a cap (p_beyond), into review.
create or replace function has_most_places(p_app uuid, p_referrer uuid, p_most int, p_beyond text) returns boolean
language plpgsql stable as $$
begin
  return p_most <= (select count(*) from (
      select 1 from referees_in_line
       where app_id = p_app and referrer_id = p_referrer and case when p_beyond is null then state = 'waiting' else state in ('review', 'dismissed') end limit p_most) r)
    -- Those with a code are left out only once the limit is reached, because that is slower.
    and p_most <= (select count(*) from (
      select 1 from referees_in_line l
       where l.app_id = p_app and l.referrer_id = p_referrer and case when p_beyond is null then l.state = 'waiting' else l.state in ('review', 'dismissed') end and not exists (
         select 1 from referrals f where f.app_id = p_app and f.campaign_id = l.campaign_id and f.referee_uid = l.referee_uid) limit p_most) r);
end $$;

-- Puts a referee in line, once per campaign, and returns whether the place is new. A repeated redeem keeps the place and may change
-- platform and referrer, unless a code of this platform is set aside. A referrer has at most p_most in it, so that made-up ids cannot
-- fill it. p_beyond: the cap for which the place is held for review, unless a member has already decided.
create or replace function join_line(
  p_app uuid, p_campaign uuid, p_platform text, p_referee_uid text, p_referrer uuid, p_most int, p_pseudonym text,
  p_beyond text default null)
returns boolean language plpgsql as $$
declare
  v_place record;
  v_ids text[];
  v_new boolean := false;
  v_full boolean;
  -- Not a function, which a cluster refuses in a CASE.
  v_now timestamptz := now();
begin
  select platform, referrer_id, state, code_id is null and created_at <= now() - interval '30 days' as is_over into v_place
    from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid;
  if v_place.is_over then
    -- The next round would end the place, and with it this redeem.
    delete from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid and code_id is null;
  elsif found then
    -- Otherwise made-up ids could fill the line with two metacodes in turn.
    if v_place.referrer_id <> p_referrer and has_most_places(p_app, p_referrer, p_most, p_beyond) then
      p_referrer := v_place.referrer_id;
    end if;
    -- Without p_beyond a held or dismissed place joins the line if the referrer may bring one more, because its app no longer holds
    -- redeems, and so does an approved one.
    v_full := p_beyond is null and v_place.state in ('review', 'dismissed') and has_most_places(p_app, p_referrer, p_most, null);
    update referees_in_line set state = case when p_beyond is null then 'waiting' else 'review' end,
           beyond = case when state = 'approved' then beyond else p_beyond end
     where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid and not v_full
       and case when p_beyond is null then state in ('review', 'approved', 'dismissed') else beyond is null end;
    -- A code of the other platform becomes free with the next round, and the place waits on.
    if (v_place.platform, v_place.referrer_id) <> (p_platform, p_referrer) then
      update referees_in_line set platform = p_platform, referrer_id = p_referrer,
             reserved_until = case when code_id is not null then least(reserved_until, v_now) end
       where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid
         and (code_id is null or platform <> p_platform);
    end if;
    return false;
  end if;
  v_ids := joined_ids(p_app, p_referee_uid);
  if v_ids <> '{}' then
    -- Serializes the ids of a person: two in parallel would not see each other's places. All of them lock the same first link, or the
    -- next one if it was deleted meanwhile. Each id is looked up separately: where most apps are small, a list is planned as a filter
    -- over all rows of the app.
    loop
      select k.from_uid, k.to_uid into v_place from unnest(v_ids || p_referee_uid) i (uid) cross join lateral (
        select from_uid, to_uid from identity_links where app_id = p_app and from_uid >= i.uid and from_uid <= i.uid
         order by from_uid, to_uid limit 1) k order by k.from_uid, k.to_uid limit 1;
      exit when not found;
      perform 1 from identity_links where app_id = p_app and from_uid = v_place.from_uid and to_uid = v_place.to_uid for update;
      exit when found;
    end loop;
    -- Waits for a place that is locked: a code may be about to be set aside for it.
    loop
      select l.referee_uid, l.referrer_id, l.state into v_place from unnest(v_ids) i (uid) cross join lateral (
        select referee_uid, referrer_id, state, place from referees_in_line where app_id = p_app and campaign_id = p_campaign
           and referee_uid >= i.uid and referee_uid <= i.uid and (code_id is not null or created_at > now() - interval '30 days')
         order by referee_uid limit 1) l order by l.place limit 1;
      exit when not found;
      perform 1 from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = v_place.referee_uid for update;
      exit when found;
    end loop;
  end if;
  -- The place of another id of the same person moves to this one.
  if v_ids <> '{}' and found then
    if v_place.referrer_id <> p_referrer and has_most_places(p_app, p_referrer, p_most, p_beyond) then
      p_referrer := v_place.referrer_id;
    end if;
    v_full := p_beyond is null and v_place.state in ('review', 'dismissed') and has_most_places(p_app, p_referrer, p_most, null);
    update referees_in_line
       set referee_uid = p_referee_uid, referrer_id = p_referrer, platform = p_platform,
           reserved_until = case
             when platform = p_platform then reserved_until when code_id is not null then least(reserved_until, v_now) end,
           state = case
             when state = 'approved' or p_beyond is null and state in ('review', 'dismissed') and not v_full then 'waiting'
             when p_beyond is null or beyond is not null then state else 'review' end,
           beyond = case when p_beyond is not null or state not in ('review', 'dismissed') or v_full then coalesce(beyond, p_beyond) end
     where app_id = p_app and campaign_id = p_campaign and referee_uid = v_place.referee_uid;
  elsif has_most_places(p_app, p_referrer, p_most, p_beyond) then
    return false;
  else
    insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, state, beyond)
    values (p_app, p_campaign, p_referee_uid, p_platform, p_referrer, new_id(), case when p_beyond is null then 'waiting' else 'review' end, p_beyond)
    on conflict do nothing;
    v_new := found;
  end if;
  -- A referee who was erased meanwhile does not join: the insert may have waited for the erasure, which holds the same key.
  delete from referees_in_line
   where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid and code_id is null and exists (
     select 1 from referees_in_line
      where app_id = p_app and campaign_id = p_campaign and referee_uid >= p_pseudonym || ':' and referee_uid < p_pseudonym || ';');
  return v_new and not found;
end $$;

-- Sets codes of a pool aside for the first in line, in the order of their arrival, and emits an event for each. Returns how many, at
-- most p_limit. Skips a row that another process holds: its referee is redeeming or leaving. Batches come in the order of take_code;
-- an offer of a code set aside for the referee, or a joined id, in another campaign counts as one that they have had.
create or replace function set_aside(p_app uuid, p_pool uuid, p_limit int) returns int language plpgsql as $$
declare
  v_referee record;
  v_batch record;
  v_id uuid;
  v_left boolean;
  v_named boolean;
  v_repeats boolean;
  v_offers text[];
  v_had text[];
  v_joined text[];
  v_least interval;
  v_count int := 0;
  v_campaigns uuid[] := '{}';
  v_busy boolean := false;
  v_line jsonb := '[]';
  v_after uuid := '00000000-0000-0000-0000-000000000000';
begin
  perform lock_budgets(p_app);
  -- One transaction at a time: another one that brings codes would skip the places that this one has locked, and nothing would set
  -- its codes aside later.
  select offers into v_offers from pools where app_id = p_app and id = p_pool for no key update;
  select make_interval(hours => min(c.safety_margin_hours)) into v_least
    from campaign_platforms p join campaigns c on c.app_id = p_app and c.id = p.campaign_id and c.status = 'active'
     and coalesce(c.starts_at <= now() and c.ends_at > now(), true)
   where p.app_id = p_app and p.referee_pool_id = p_pool;
  v_repeats := repeats_offers(p_app, p_pool);
  v_named := exists (select 1 from batches where app_id = p_app and pool_id = p_pool and state = 'ready' and offer is not null);
  loop
    exit when v_count = p_limit;
    if v_line = '[]' then
      -- Few at a time, because there may be few codes. A campaign that has not begun waits: the check at its start calls this.
      v_line := in_line(p_app, p_pool, true, v_after, 50);
      exit when v_line = '[]';
    end if;
    v_after := v_line -> 0 ->> 'place';
    select l.campaign_id, l.referee_uid, l.platform, l.place, make_interval(hours => c.safety_margin_hours) as margin,
           c.code_budget is not null as has_budget
      into v_referee
      from referees_in_line l join campaigns c on c.app_id = p_app and c.id = l.campaign_id
     where l.app_id = p_app and l.campaign_id = (v_line -> 0 ->> 'campaign_id')::uuid and l.referee_uid = v_line -> 0 ->> 'referee_uid'
       and l.place = v_after and l.platform = v_line -> 0 ->> 'platform' and l.state = 'waiting' and l.code_id is null for update of l skip locked;
    v_line := v_line - 0;
    continue when not found;
    continue when v_referee.has_budget and not has_budget(p_app, v_referee.campaign_id, 'referee');
    v_joined := case when v_named then joined_ids(p_app, v_referee.referee_uid) else '{}' end;
    v_had := case when v_named then offers_of(p_app, p_pool, v_referee.platform, v_joined || v_referee.referee_uid) else '{}' end;
    v_left := false;
    v_id := null;
    for v_batch in
      select b.id, coalesce(b.offer = any(v_had), false) as had, b.kind from batches b
       where b.app_id = p_app and b.pool_id = p_pool and b.state = 'ready' and (v_named or b.offer is null)
         and (b.expires_at is null or b.expires_at > now() + v_referee.margin + interval '48 hours')
       order by had, array_position(v_offers, b.offer) nulls last, b.expires_at nulls last, b.id
    loop
      if v_batch.had and (not v_repeats or v_batch.kind = 'custom') then
        v_left := true;
        continue;
      end if;
      -- The lock makes a withdrawal or edit of the batch wait for this transaction and then take the code back. While a batch is being
      -- edited no place gets a code: otherwise places behind would, once the edit ends.
      perform 1 from batches
        where app_id = p_app and id = v_batch.id and state = 'ready'
          and (expires_at is null or expires_at > now() + v_referee.margin + interval '48 hours')
          for key share skip locked;
      if not found then
        -- A redeem may have marked it as empty meanwhile; otherwise another transaction holds it.
        perform 1 from batches
          where app_id = p_app and id = v_batch.id and state = 'ready'
            and (expires_at is null or expires_at > now() + v_referee.margin + interval '48 hours');
        v_busy := found;
        exit when v_busy;
        continue;
      end if;
      v_id := lock_code(p_app, v_batch.id);
      exit when v_id is not null;
    end loop;
    -- A person is in line once: a second place, stored under a joined id while the ids were being joined, ends here.
    continue when (v_id is not null or v_left and v_joined <> '{}')
      and end_double_place(p_app, v_referee.campaign_id, v_referee.referee_uid, v_referee.place);
    if v_id is not null then
      update codes set status = 'reserved' where app_id = p_app and id = v_id;
      perform spend_budget(p_app, v_referee.campaign_id, 'referee', 1);
      perform reserve_code(p_app, v_referee.campaign_id, v_referee.referee_uid, v_id);
      v_count := v_count + 1;
      v_campaigns := v_campaigns || v_referee.campaign_id;
    elsif v_busy or not v_left and wait_reason(
      p_app, p_pool, v_referee.platform, v_referee.referee_uid, v_least + interval '48 hours') <> 'same_offer' then
      -- The pool is empty for those behind too, even in campaigns of a smaller margin. It is not if it has only offers that this
      -- referee has had, or if the reason is null, because then a code fits a smaller margin.
      exit;
    end if;
  end loop;
  -- By campaign and not by pool, which a campaign may have left meanwhile.
  update campaign_platforms set has_line = true
   where app_id = p_app and campaign_id = any(v_campaigns) and not has_line
     and platform = (select platform from pools where app_id = p_app and id = p_pool);
  return v_count;
end $$;

-- Ends the places in line of a campaign that ends; end_places frees the codes that are set aside for them. A place that another
-- process holds is skipped, because a redeem locks its place before the campaign.
create or replace function end_line(p_app uuid, p_campaign uuid) returns void language plpgsql as $$
declare
  v_uids text[] := array(
    select referee_uid from referees_in_line where app_id = p_app and campaign_id = p_campaign for update skip locked);
begin
  delete from referees_in_line
   where app_id = p_app and campaign_id = p_campaign and referee_uid = any(v_uids) and code_id is null;
  update referees_in_line set reserved_until = now()
   where app_id = p_app and campaign_id = p_campaign and referee_uid = any(v_uids) and code_id is not null;
end $$;

-- Ends the time of the codes that are set aside in ended campaigns, and in paused referral campaigns when another one becomes active:
-- metacodes then lead to that one, so no referee could fetch them. end_places frees the codes; places of paused campaigns stay. Misses
-- places that a redeem holds and codes that are set aside meanwhile, so each check calls this again.
create or replace function end_paused(p_app uuid) returns void language plpgsql as $$
begin
  update referees_in_line set reserved_until = now()
   where app_id = p_app and code_id = any(array(
     select l.code_id from referees_in_line l join campaigns c on c.app_id = p_app and c.id = l.campaign_id
      where l.app_id = p_app and l.code_id is not null and l.reserved_until > now() and (
        c.status = 'ended' or c.type = 'referral' and c.status = 'paused' and exists (
          select 1 from campaigns a where a.app_id = p_app and a.type = 'referral' and a.status = 'active'))
      order by l.place for update of l skip locked));
end $$;
