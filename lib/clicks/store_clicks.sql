-- Writes one app's buffered clicks at once. A visitor who was counted before, by another process, keeps the first click;
-- {new id: stored id} tells of those. The select sees what was there before the insert.
create or replace function store_clicks(
  p_app uuid, p_ids uuid[], p_referrers uuid[], p_visitors bytea[], p_times timestamptz[])
returns jsonb language plpgsql as $$
declare
  v_known jsonb;
begin
  select jsonb_object_agg(n.id, c.id) into v_known
    from unnest(p_ids, p_referrers, p_visitors) as n (id, referrer_id, visitor)
    join clicks c on c.app_id = p_app and c.referrer_id = n.referrer_id and c.visitor = n.visitor;
  insert into clicks (app_id, id, referrer_id, visitor, created_at)
  select p_app, n.id, n.referrer_id, n.visitor, n.created_at
    from unnest(p_ids, p_referrers, p_visitors, p_times) as n (id, referrer_id, visitor, created_at)
  on conflict do nothing;
  return coalesce(v_known, '{}');
end $$;
