-- Sets a code aside for a referee in line for 48 hours from now, with its event.
create or replace function reserve_code(p_app uuid, p_campaign uuid, p_referee_uid text, p_code uuid) returns void
language plpgsql as $$
declare
  v_place record;
  v_until timestamptz := now() + interval '48 hours';
begin
  update referees_in_line set code_id = p_code, reserved_until = v_until
   where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid
  returning referrer_id, platform into v_place;
  perform emit(p_app, 'referral.code_ready', jsonb_build_object(
    'referrer_id', v_place.referrer_id, 'campaign_id', p_campaign, 'referee_uid', p_referee_uid, 'platform', v_place.platform,
    'reserved_until', to_char(v_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
end $$;

-- Restarts the 48 hours of a code set aside for an approved referee, because no redeem could fetch it while the referee was held. The
-- caller has locked the place. If a redeem could not assign the code now, or not throughout the 48 hours, its time ends as before.
create or replace function reserve_again(p_app uuid, p_campaign uuid, p_uid text) returns void language plpgsql as $$
declare
  v_code uuid;
begin
  select l.code_id into v_code
    from referees_in_line l
    join codes c on c.app_id = p_app and c.id = l.code_id and c.status = 'reserved' and c.platform = l.platform
    join batches b on b.app_id = p_app and b.id = c.batch_id and b.state in ('ready', 'drained')
    join campaigns k on k.app_id = p_app and k.id = l.campaign_id and k.status = 'active' and coalesce(k.starts_at <= now() and k.ends_at > now(), true)
    join referrers r on r.app_id = p_app and r.id = l.referrer_id and r.status = 'active'
   where l.app_id = p_app and l.campaign_id = p_campaign and l.referee_uid = p_uid and l.reserved_until > to_timestamp(0)
     and coalesce(b.expires_at > now() + make_interval(hours => k.safety_margin_hours) + interval '48 hours', true);
  if found and not had_reserved(p_app, v_code, p_uid || joined_ids(p_app, p_uid)) then
    perform reserve_code(p_app, p_campaign, p_uid, v_code);
  end if;
end $$;

-- Restarts the 48 hours of the codes set aside in a campaign, or for the friends of a referrer, when it resumes; emits an event where
-- the code can be fetched now. Skips locked places, and those whose time was set to 1970: of erased referees, or of persons with two
-- codes. Looks at up to p_limit codes after p_after, and returns the last of them; null if there are no more.
create or replace function renew_reservations(p_app uuid, p_campaign uuid, p_referrer uuid, p_after uuid, p_limit int) returns uuid
language plpgsql as $$
declare
  v_place record;
  v_seen int := 0;
begin
  for v_place in
    select code_id, campaign_id, referee_uid, state from referees_in_line
     where app_id = p_app and (campaign_id = p_campaign or referrer_id = p_referrer) and code_id > p_after
       and reserved_until > to_timestamp(0)
     order by code_id limit p_limit for update skip locked
  loop
    v_seen := v_seen + 1;
    -- Otherwise a round would free a code whose time ended during the pause.
    update referees_in_line set reserved_until = now() + interval '48 hours'
     where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
    if v_place.state = 'waiting' then
      perform reserve_again(p_app, v_place.campaign_id, v_place.referee_uid);
    end if;
  end loop;
  return case when v_seen = p_limit then v_place.code_id end;
end $$;

-- Takes back the codes of a batch that are set aside (p_batch null: of every batch), when the batch is withdrawn; the referees keep
-- their places and wait for other codes. p_expiring: only codes that expire too soon for a redeem to assign them. Looks at up to
-- p_limit codes after p_after, and returns the last of them; null if there are no more.
create or replace function take_back(
  p_app uuid, p_batch uuid, p_expiring boolean default false, p_after uuid default null, p_limit int default null)
returns uuid language plpgsql as $$
declare
  v_place record;
  v_seen int := 0;
  v_batches uuid[] := array(
    select id from batches where app_id = p_app and id = coalesce(p_batch, id) and (not p_expiring or expires_at <= now() + (
      select make_interval(hours => max(safety_margin_hours)) from campaigns where app_id = p_app)));
begin
  perform lock_budgets(p_app);
  for v_place in
    select l.campaign_id, l.referee_uid, l.code_id, c.batch_id
      from referees_in_line l
     cross join lateral (select id, batch_id, status from codes where app_id = p_app and id = l.code_id limit 1) c
     cross join lateral (select expires_at from batches where app_id = p_app and id = c.batch_id limit 1) b
     cross join lateral (select safety_margin_hours as hours from campaigns where app_id = p_app and id = l.campaign_id limit 1) k
     where v_batches <> '{}' and l.app_id = p_app and l.code_id is not null and (p_after is null or l.code_id > p_after)
       -- Compares the code again once the row is locked: another one may have been set aside meanwhile.
       and c.id = l.code_id and c.status = 'reserved' and c.batch_id = any(v_batches)
       and (not p_expiring or b.expires_at <= now() + make_interval(hours => k.hours))
     -- Skips a row that another process holds: its referee is redeeming, or a check looks at it. The next check ends its time.
     order by l.code_id limit p_limit for update of l skip locked
  loop
    v_seen := v_seen + 1;
    if p_expiring then
      -- If another process holds the batch, end_places frees the code.
      perform 1 from batches where app_id = p_app and id = v_place.batch_id for update skip locked;
      continue when not found;
      update batches set state = 'ready' where app_id = p_app and id = v_place.batch_id and state = 'drained';
    end if;
    update codes set status = 'available' where app_id = p_app and id = v_place.code_id and status = 'reserved';
    perform spend_budget(p_app, v_place.campaign_id, 'referee', -1);
    update referees_in_line set code_id = null, reserved_until = null
     where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
  end loop;
  return case when v_seen = p_limit then v_place.code_id end;
end $$;
