-- Writes one app's buffered clicks in one statement, always in the same order, so that two processes with the same visitors
-- do not deadlock. Counts each new click as it is stored. A visitor who is already stored, or whose click became a referral,
-- even a released one, is not new.
create or replace function store_clicks(
  p_app uuid, p_ids uuid[], p_referrers uuid[], p_visitors bytea[], p_times timestamptz[])
returns void language plpgsql as $$
declare
  v_campaign uuid := (campaign_of(p_app, null)).id;
  v_clicked jsonb;
  v_click jsonb;
  -- There are many clicks, so they go to subscribed endpoints only and not to the outbox.
  v_wanted boolean := exists (
    select 1 from webhook_endpoints where app_id = p_app and enabled and 'referral.clicked' = any(events));
begin
  with stored as (
    insert into clicks (app_id, id, referrer_id, visitor, created_at)
    select p_app, n.id, n.referrer_id, n.visitor, n.created_at
      from unnest(p_ids, p_referrers, p_visitors, p_times) as n (id, referrer_id, visitor, created_at)
     where not exists (select 1 from referrals r where r.app_id = p_app and r.id = n.id)
       and not exists (select 1 from undone_steps u where u.app_id = p_app and u.referral_id = n.id)
     order by n.referrer_id, n.visitor
    on conflict do nothing
    returning id, referrer_id, created_at
  ), clicked as materialized (
    select s.id, s.referrer_id, s.created_at, r.slug, c.id as campaign_id
      from stored s
      left join referrers r on r.app_id = p_app and r.id = s.referrer_id
      left join campaigns c on c.app_id = p_app and c.id = coalesce(r.campaign_id, v_campaign)
  ), counted as (
    insert into daily_stats as d (app_id, day, campaign_id, platform, clicked)
    select p_app, (c.created_at at time zone 'UTC')::date,
           coalesce(c.campaign_id, '00000000-0000-0000-0000-000000000000'), 'any', count(*)
      from clicked c group by 2, 3 order by 2, 3
    on conflict (app_id, day, campaign_id, platform) do update set clicked = d.clicked + excluded.clicked
  )
  select jsonb_agg(jsonb_build_object('referral_id', c.id, 'referrer_id', c.referrer_id, 'metacode', c.slug))
    into v_clicked from clicked c where v_wanted;
  for v_click in select value from jsonb_array_elements(v_clicked) loop
    perform add_deliveries(p_app, new_id(), 'referral.clicked', v_click);
  end loop;
end $$;
