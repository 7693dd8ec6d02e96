-- Ids of the events of an app that are due to be applied again: failed ones, at growing intervals; purchases whose
-- referee redeemed within the grace period after their arrival, even if a later purchase has confirmed that, because a
-- refund may lie between the two; refunds and linked ids that did not see each other, because concurrent transactions
-- stored them. Purchases come first, because refunds that match nothing stay due for ten minutes and may be many.
create or replace function due_events(p_app uuid) returns jsonb language plpgsql as $$
declare
  v_ids jsonb;
begin
  select coalesce(jsonb_agg(d.id), '[]') into v_ids from (
    (select e.id from provider_events e
      where e.app_id = p_app and e.verdict = any(array['failed', 'received'])
        and coalesce(e.judged_at, e.created_at) < now() - least(interval '1 minute' * power(2, least(e.tries - 1, 6)), interval '1 hour')
      order by e.created_at limit 200)
    union all
    (select e.id from provider_events e
      where e.app_id = p_app and e.verdict = 'unmatched' and e.created_at > now() - 2 * redemption_grace()
        and (case when e.confirmation ->> 'kind' = 'confirm'
                  then exists (select 1 from referrals r
                                where r.app_id = p_app and r.referee_uid = any(e.uids)
                                  and r.created_at <= e.created_at + redemption_grace())
                  else e.created_at > now() - interval '10 minutes' end
             or exists (select 1 from identity_links l where l.app_id = p_app and l.from_uid = any(e.uids))
             or exists (select 1 from identity_links l where l.app_id = p_app and l.to_uid = any(e.uids)))
      order by e.confirmation ->> 'kind' = 'confirm' desc, e.created_at desc limit 500)) d;
  return v_ids;
end $$;
