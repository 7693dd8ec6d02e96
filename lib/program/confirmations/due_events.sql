-- How long a purchase waits for a later redemption. An older purchase may belong to a long-standing subscriber who redeems a
-- metacode only now, so a member of the workspace must replay its event.
create or replace function redemption_grace() returns interval language plpgsql immutable as $$
begin
  return interval '1 hour';
end $$;

-- Ids of an app's events that are due to be applied again: failed ones, at growing intervals; purchases whose referee
-- redeemed within the grace period after they arrived; refunds and links that concurrent transactions stored without seeing
-- each other; purchases of a confirmed referee who then redeemed in the next campaign.
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
    (select u.id from (
      -- Purchases of referees first, then refunds, then purchases of users with linked ids, each up to its own limit, so
      -- that none waits behind many that match nothing.
      select e.id, k.turn, row_number() over (partition by k.turn order by e.created_at desc) as place
        from provider_events e
       cross join lateral (
         select case
           when e.confirmation ->> 'kind' is distinct from 'confirm'
             then case when e.created_at > now() - interval '10 minutes' or l.linked then 2 end
           -- Even if a later purchase has confirmed the referral, because a refund may lie between the two.
           when exists (select 1 from referrals r
                         where r.app_id = p_app and r.referee_uid = any(e.uids)
                           and r.created_at <= e.created_at + redemption_grace()) then 1
           when l.linked then 3 end as turn
           from (select exists (select 1 from identity_links i where i.app_id = p_app and i.from_uid = any(e.uids))
                     or exists (select 1 from identity_links i where i.app_id = p_app and i.to_uid = any(e.uids)) as linked) l) k
       where e.app_id = p_app and e.verdict = 'unmatched' and e.created_at > now() - 2 * redemption_grace()
         and k.turn is not null) u
      where u.place <= 500 order by u.turn, u.place)
    union all
    (select e.id from provider_events e
      where e.app_id = p_app and e.verdict = 'already_confirmed' and e.created_at > now() - 2 * redemption_grace()
        and e.purchase_id <> (
          select f.confirmed_purchase from referrals f where f.app_id = p_app and f.id = e.referral_id)
        and exists (
          select 1 from referrals r
           where r.app_id = p_app and r.referee_uid = any(e.uids) and r.status = 'code_assigned'
             and r.created_at between e.created_at and e.created_at + redemption_grace())
      order by e.created_at limit 200)) d;
  return v_ids;
end $$;
