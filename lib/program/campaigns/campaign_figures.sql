-- [{"campaign_id", "clicked", "assigned", "confirmed", "reversed", "earned", "claimed"}] of every campaign of an app
-- since it began, up to this second: the rows of daily_stats and the newest p_tail events.
create or replace function campaign_figures(p_app uuid, p_tail int) returns jsonb language plpgsql stable as $$
declare
  v_counts jsonb;
begin
  v_counts := tail_counts(p_app, p_tail);
  return (
    with lines as (
      select s.campaign_id, s.clicked, s.assigned, s.confirmed, s.reversed, s.earned, s.claimed
        from daily_stats s where s.app_id = p_app
      union all
      select e.campaign_id, 0, e.assigned, e.confirmed, e.reversed, e.earned, e.claimed
        from listed_counts(v_counts) e
    ), totals as (
      select l.campaign_id, sum(l.clicked) as clicked, sum(l.assigned) as assigned, sum(l.confirmed) as confirmed,
             sum(l.reversed) as reversed, sum(l.earned) as earned, sum(l.claimed) as claimed
        from lines l group by l.campaign_id
    )
    select coalesce(jsonb_agg(to_jsonb(t)), '[]') from totals t);
end $$;
