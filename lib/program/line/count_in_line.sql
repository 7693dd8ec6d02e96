-- Whether a code is set aside for a referee.
create or replace function has_reserved(p_app uuid, p_campaign uuid, p_referee_uid text) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select 1 from referees_in_line
     where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid and reserved_until > now());
end $$;

-- How many referees wait in line for codes of each referee pool, as {"<pool>": count}. Those with a code, or with one set aside, do
-- not wait; nor do those whose referrer is paused or ended, who get no code.
create or replace function count_in_line(p_app uuid) returns jsonb language plpgsql stable as $$
begin
  return (
    select coalesce(jsonb_object_agg(w.pool, w.referees), '{}')
      from (
        select p.referee_pool_id as pool, count(*) as referees
          from referees_in_line l
          join referrers r on r.app_id = p_app and r.id = l.referrer_id and r.status = 'active'
          join campaign_platforms p on p.app_id = p_app and p.campaign_id = l.campaign_id and p.platform = l.platform
         where l.app_id = p_app and l.state = 'waiting' and l.code_id is null and l.created_at > now() - interval '30 days'
           and p.referee_pool_id is not null and not exists (
             select 1 from referrals f
              where f.app_id = p_app and f.campaign_id = l.campaign_id and f.referee_uid = l.referee_uid)
         group by p.referee_pool_id) w);
end $$;
