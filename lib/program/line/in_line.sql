-- Referees who wait in line for codes of a pool, at most p_limit behind p_after, in the order of their places: [{"campaign_id",
-- "referee_uid", "platform", "place", "created_at"}]. Leaves out those who have a code or one set aside, whose referrer is not active,
-- or whose campaign is over: they get no code. p_open: only those who may get one now.
create or replace function in_line(p_app uuid, p_pool uuid, p_open boolean, p_after uuid, p_limit int) returns jsonb
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
             'campaign_id', w.campaign_id, 'referee_uid', w.referee_uid, 'platform', w.platform, 'place', w.place,
             'created_at', w.created_at) order by w.place), '[]')
      from (
        select l.* from campaign_platforms p
         -- Each row is looked up by its key: where most apps are small, a join may read all rows of the app for each place.
         cross join lateral (select * from campaigns where app_id = p_app and id = p.campaign_id limit 1) c
         cross join lateral (
           select l.campaign_id, l.referee_uid, l.platform, l.place, l.created_at from referees_in_line l
            where l.app_id = p_app and l.campaign_id = p.campaign_id and l.platform = p.platform and l.place > p_after
              and l.code_id is null and l.state = 'waiting' and l.created_at > now() - interval '30 days'
              and (select r.status = 'active' from referrers r where r.app_id = p_app and r.id = l.referrer_id limit 1)
              and (select true from referrals f where f.app_id = p_app and f.campaign_id = l.campaign_id
                      and f.referee_uid >= l.referee_uid and f.referee_uid <= l.referee_uid order by f.referee_uid limit 1) is null
            order by l.place limit p_limit) l
         where p.app_id = p_app and p.referee_pool_id = p_pool and c.status <> 'ended' and coalesce(c.ends_at > now(), true)
           -- The campaign is active, has begun, and has budget left or is about to count it again.
           and (not p_open or c.status = 'active' and coalesce(c.starts_at <= now(), true)
             and (c.code_budget is null or c.spent_codes < c.code_budget or c.recount_at is not null))
         order by l.place limit p_limit) w);
end $$;

-- Counts the referees who wait in line for codes of each referee pool, as {"<pool>": count}, at most 10,000 per pool.
create or replace function count_in_line(p_app uuid) returns jsonb language plpgsql stable as $$
declare
  v_pool uuid;
  v_count int;
  v_counts jsonb := '{}';
begin
  for v_pool in
    select distinct referee_pool_id from campaign_platforms where app_id = p_app and referee_pool_id is not null
  loop
    v_count := jsonb_array_length(in_line(p_app, v_pool, false, '00000000-0000-0000-0000-000000000000', 10000));
    v_counts := v_counts || case when v_count > 0 then jsonb_build_object(v_pool, v_count) else '{}' end;
  end loop;
  return v_counts;
end $$;
