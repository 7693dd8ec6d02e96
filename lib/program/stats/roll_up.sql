-- Adds the next p_rows events of an app's outbox to its figures and moves the cursor behind them, all or nothing; the cursor's lock
-- keeps a second process out. Returns {"state": "new" (no cursor yet, or one that requests a new count), "busy" (another process is at
-- work) or "done", "more": whether to go on, "waiting": whether events are left that are too young}.
create or replace function roll_up(p_app uuid, p_age_seconds int, p_rows int) returns jsonb language plpgsql as $$
declare
  v_from uuid;
  v_to uuid;
  v_counts jsonb;
  v_referrers uuid[];
  v_never uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  -- Ids are generated before the commit, so the newest events are left for later: a statement ends within 5 s (statement_timeout) and
  -- events are written at the end of their transaction, so after p_age_seconds none can appear below the cursor any more.
  v_before uuid := first_id(clock_timestamp() - make_interval(secs => p_age_seconds));
begin
  select last_id into v_from from rollup_cursors where app_id = p_app for update skip locked;
  if not found then
    perform 1 from rollup_cursors where app_id = p_app;
    return jsonb_build_object('state', case when found then 'busy' else 'new' end, 'more', false, 'waiting', true);
  end if;
  if v_from = v_never then
    return jsonb_build_object('state', 'new', 'more', false, 'waiting', true);
  end if;
  v_to := outbox_end(p_app, v_from, v_before, p_rows);
  if v_to is null then
    return jsonb_build_object('state', 'done', 'more', false, 'waiting', outbox_end(p_app, v_from, v_never, 1) is not null);
  end if;
  v_counts := event_counts(p_app, v_from, v_to);
  with counts as materialized (
    select * from listed_counts(v_counts)
  ), days as (
    insert into daily_stats as s
      (app_id, day, campaign_id, platform, assigned, confirmed, reversed, earned, claimed)
    select p_app, e.day, e.campaign_id, e.platform,
           sum(e.assigned), sum(e.confirmed), sum(e.reversed), sum(e.earned), sum(e.claimed)
      from counts e group by e.day, e.campaign_id, e.platform
    on conflict (app_id, day, campaign_id, platform) do update
       set assigned = s.assigned + excluded.assigned, confirmed = s.confirmed + excluded.confirmed,
           reversed = s.reversed + excluded.reversed, earned = s.earned + excluded.earned,
           claimed = s.claimed + excluded.claimed
  )
  insert into batch_counts as b (app_id, batch_id, given, confirmed)
  select p_app, e.batch_id, sum(e.assigned + e.claimed), sum(e.confirmed)
    from counts e
   where e.batch_id is not null and e.assigned + e.claimed + e.confirmed > 0
   group by e.batch_id order by e.batch_id
  on conflict (app_id, batch_id) do update
     set given = b.given + excluded.given, confirmed = b.confirmed + excluded.confirmed;
  v_referrers := array(
    select distinct (o.payload ->> 'referrer_id')::uuid from outbox o
     where o.app_id = p_app and o.id > v_from and o.id <= v_to
       and o.type = any(array['referral.redeemed', 'referral.reversed']));
  perform total_referrers(p_app, v_referrers);
  update rollup_cursors set last_id = v_to, rolled_at = now() where app_id = p_app;
  return jsonb_build_object('state', 'done', 'more', outbox_end(p_app, v_to, v_before, 1) is not null,
    'waiting', outbox_end(p_app, v_to, v_never, 1) is not null);
end $$;

-- Counts a code that replaced another. It has no event, so it is counted with the replacement.
create or replace function count_replacement(p_app uuid, p_code uuid) returns void language plpgsql as $$
begin
  insert into batch_counts as b (app_id, batch_id, given)
  select p_app, c.batch_id, 1 from codes c where c.app_id = p_app and c.id = p_code
  on conflict (app_id, batch_id) do update set given = b.given + 1;
end $$;

-- Takes the code of an undone confirmation out of its batch's count; the event of the confirmation has added it or will.
create or replace function uncount_confirmed_code(p_app uuid, p_assignment uuid) returns void language plpgsql as $$
begin
  insert into batch_counts as b (app_id, batch_id, confirmed)
  select p_app, c.batch_id, -1 from codes c where c.app_id = p_app and c.assignment_id = p_assignment
  on conflict (app_id, batch_id) do update set confirmed = b.confirmed - 1;
end $$;

-- Stores the confirmed referrals of these referrers over all campaigns, by which lists are ordered. Counts them again after the rows
-- are locked, so that the last of two calls sees what the first did.
create or replace function total_referrers(p_app uuid, p_referrers uuid[]) returns void language plpgsql as $$
begin
  perform 1 from referrers where app_id = p_app and id = any(p_referrers) order by id for no key update;
  update referrers r set confirmed = g.confirmed
    from (
      select i.id, coalesce(sum(p.confirmed), 0)::int as confirmed
        from unnest(p_referrers) as i (id)
        left join referrer_progress p on p.app_id = p_app and p.referrer_id = i.id
       group by i.id) g
   where r.app_id = p_app and r.id = g.id and r.confirmed <> g.confirmed;
end $$;
