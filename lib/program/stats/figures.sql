-- Figures up to this second: the sums of the roll-up, and the events since. A stable function reads with the snapshot
-- of its call, so a concurrent roll-up is seen whole or not at all. At most p_tail events are read; with more than that
-- in a minute the figures are a minute old.

-- The counts of the tail: of the next p_tail events behind the rolled-up figures.
create or replace function tail_counts(p_app uuid, p_tail int) returns jsonb language plpgsql stable as $$
declare
  v_after uuid;
begin
  select c.last_id into v_after from rollup_cursors c where c.app_id = p_app;
  v_after := coalesce(v_after, '00000000-0000-0000-0000-000000000000');
  return event_counts(p_app, v_after, outbox_end(p_app, v_after, 'ffffffff-ffff-ffff-ffff-ffffffffffff', p_tail));
end $$;

-- [{"id", "assigned", "confirmed", "reserved", "free"}] of every batch. "free" is the size less "assigned" and "reserved", the codes
-- that are set aside; at 1,000 or less the free codes themselves are counted, up to 1,001 of them along codes_free, because "empty" must
-- not be an estimate.
create or replace function batch_figures(p_app uuid, p_tail int) returns jsonb
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_sort = off as $$
declare
  v_counts jsonb;
begin
  v_counts := tail_counts(p_app, p_tail);
  return (
    with recent as materialized (
      select e.batch_id, sum(e.assigned + e.claimed) as assigned, sum(e.confirmed) as confirmed
        from listed_counts(v_counts) e group by e.batch_id
    ), reserved as materialized (
      select c.batch_id, count(*) as codes
        from referees_in_line l
       -- By its key: a join may read all codes of the app.
       cross join lateral (select batch_id from codes where app_id = p_app and id = l.code_id limit 1) c
       where l.app_id = p_app and l.code_id is not null group by c.batch_id
    ), known as materialized (
      select b.id, b.state, coalesce(c.given, 0) + coalesce(r.assigned, 0) as assigned,
             coalesce(c.confirmed, 0) + coalesce(r.confirmed, 0) as confirmed, coalesce(a.codes, 0) as reserved,
             b.size - coalesce(c.given, 0) - coalesce(r.assigned, 0) - coalesce(a.codes, 0) as left_over
        from batches b
        left join batch_counts c on c.app_id = p_app and c.batch_id = b.id
        left join recent r on r.batch_id = b.id
        left join reserved a on a.batch_id = b.id
       where b.app_id = p_app
    )
    select coalesce(jsonb_agg(jsonb_build_object(
             'id', k.id, 'assigned', k.assigned, 'confirmed', k.confirmed, 'reserved', k.reserved,
             'free', case
               when k.state not in ('ready', 'quarantined') then 0
               when k.left_over > 1000 then k.left_over
               else few.codes end)), '[]')
      from known k
      cross join lateral (
        select count(*) as codes from (
          select 1 from codes c
           where k.state in ('ready', 'quarantined') and k.left_over <= 1000
             and c.app_id = p_app and c.batch_id = k.id and c.status = 'available'
           order by c.slot limit 1001) codes_left) few);
end $$;

-- [{"day", "clicked", "assigned", "confirmed", "reversed", "earned", "claimed"}] of the days from p_from to p_until,
-- optionally of one campaign or platform. The tail has no clicks: they are counted as they are stored.
create or replace function daily_figures(
  p_app uuid, p_from date, p_until date, p_campaign uuid, p_platform text, p_tail int)
returns jsonb language plpgsql stable as $$
declare
  v_counts jsonb;
begin
  v_counts := tail_counts(p_app, p_tail);
  return (
    with lines as (
      select s.day, s.campaign_id, s.platform, s.clicked, s.assigned, s.confirmed, s.reversed, s.earned, s.claimed
        from daily_stats s where s.app_id = p_app and s.day between p_from and p_until
      union all
      select e.day, e.campaign_id, e.platform, 0, e.assigned, e.confirmed, e.reversed, e.earned, e.claimed
        from listed_counts(v_counts) e where e.day between p_from and p_until
    ), days as (
      select l.day, sum(l.clicked) as clicked, sum(l.assigned) as assigned, sum(l.confirmed) as confirmed,
             sum(l.reversed) as reversed, sum(l.earned) as earned, sum(l.claimed) as claimed
        from lines l
       where (p_campaign is null or l.campaign_id = p_campaign) and (p_platform is null or l.platform = p_platform)
       group by l.day
    )
    select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]') from days d);
end $$;
