-- Writes one app's buffered clicks at once, in one order, so that two processes with the same visitors do not wait for
-- each other. A click whose referee redeemed before it was written has gone on already: there it only adds its time.
create or replace function store_clicks(
  p_app uuid, p_ids uuid[], p_referrers uuid[], p_visitors bytea[], p_times timestamptz[])
returns void language plpgsql as $$
begin
  update referrals r set clicked_at = n.created_at
    from unnest(p_ids, p_times) as n (id, created_at)
   where r.app_id = p_app and r.id = n.id and r.clicked_at is null;
  insert into clicks (app_id, id, referrer_id, visitor, created_at)
  select p_app, n.id, n.referrer_id, n.visitor, n.created_at
    from unnest(p_ids, p_referrers, p_visitors, p_times) as n (id, referrer_id, visitor, created_at)
   where not exists (select 1 from referrals r where r.app_id = p_app and r.id = n.id)
   order by n.referrer_id, n.visitor
  on conflict do nothing;
end $$;
