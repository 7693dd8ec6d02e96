-- Figures as they are now: what is added up, and the events since. A stable function reads with the snapshot of its
-- call, so a roll-up at the same moment is seen whole or not at all. At most p_tail events are read; with more than
-- that in a minute the figures are a minute old.

-- How far the figures go, and how far the tail that is to be added.
create or replace function tail_of(p_app uuid, p_tail int, out after uuid, out through uuid)
language plpgsql stable as $$
begin
  select c.last_id into after from rollup_cursors c where c.app_id = p_app;
  after := coalesce(after, '00000000-0000-0000-0000-000000000000');
  through := outbox_end(p_app, after, 'ffffffff-ffff-ffff-ffff-ffffffffffff', p_tail);
end $$;

-- [{"id", "given", "confirmed", "free"}] of every batch. "free" is size less given; where that is 1,000 or less the
-- free codes are looked at, up to 1,001 of them, along codes_free, because "empty" must be no estimate.
create or replace function batch_figures(p_app uuid, p_tail int) returns jsonb language plpgsql stable as $$
declare
  v_tail record;
begin
  v_tail := tail_of(p_app, p_tail);
  return (
    with recent as materialized (
      select e.batch_id, sum(e.assigned + e.claimed) as given, sum(e.confirmed) as confirmed
        from counted_events(p_app, v_tail.after, v_tail.through) e group by e.batch_id
    ), known as materialized (
      select b.id, b.state, b.size, coalesce(c.given, 0) + coalesce(r.given, 0) as given,
             coalesce(c.confirmed, 0) + coalesce(r.confirmed, 0) as confirmed
        from batches b
        left join batch_counts c on c.app_id = p_app and c.batch_id = b.id
        left join recent r on r.batch_id = b.id
       where b.app_id = p_app
    )
    select coalesce(jsonb_agg(jsonb_build_object(
             'id', k.id, 'given', k.given, 'confirmed', k.confirmed,
             'free', case
               when k.state not in ('ready', 'quarantined') then 0
               when k.size - k.given > 1000 then k.size - k.given
               else few.codes end)), '[]')
      from known k
      cross join lateral (
        select count(*) as codes from (
          select 1 from codes c
           where k.state in ('ready', 'quarantined') and k.size - k.given <= 1000
             and c.app_id = p_app and c.batch_id = k.id and c.status = 'available'
           limit 1001) one) few);
end $$;

-- [{"day", "clicked", "assigned", "confirmed", "reversed", "earned", "claimed"}] of the days from p_from to p_until, of
-- one campaign or platform where given. The tail has no clicks: they are counted as they are stored.
create or replace function daily_figures(
  p_app uuid, p_from date, p_until date, p_campaign uuid, p_platform text, p_tail int)
returns jsonb language plpgsql stable as $$
declare
  v_tail record;
begin
  v_tail := tail_of(p_app, p_tail);
  return (
    with lines as (
      select s.day, s.campaign_id, s.platform, s.clicked, s.assigned, s.confirmed, s.reversed, s.earned, s.claimed
        from daily_stats s where s.app_id = p_app and s.day between p_from and p_until
      union all
      select e.day, e.campaign_id, e.platform, 0, e.assigned, e.confirmed, e.reversed, e.earned, e.claimed
        from counted_events(p_app, v_tail.after, v_tail.through) e where e.day between p_from and p_until
    ), days as (
      select l.day, sum(l.clicked) as clicked, sum(l.assigned) as assigned, sum(l.confirmed) as confirmed,
             sum(l.reversed) as reversed, sum(l.earned) as earned, sum(l.claimed) as claimed
        from lines l
       where (p_campaign is null or l.campaign_id = p_campaign) and (p_platform is null or l.platform = p_platform)
       group by l.day
    )
    select coalesce(jsonb_agg(to_jsonb(d) order by d.day), '[]') from days d);
end $$;
