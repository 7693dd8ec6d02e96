-- The outbox as figures. Every count of events uses this, so that the roll-up's sums and the tail added on reading
-- cannot differ.

-- The smallest id that new_id() generates at p_at.
create or replace function first_id(p_at timestamptz) returns uuid language plpgsql immutable as $$
begin
  return encode(substring(int8send((extract(epoch from p_at) * 1000)::bigint) from 3)
    || decode('70008000000000000000', 'hex'), 'hex')::uuid;
end $$;

-- The last of the next p_rows events after p_after and before p_before; null if there is none.
create or replace function outbox_end(p_app uuid, p_after uuid, p_before uuid, p_rows int) returns uuid
language plpgsql stable as $$
declare
  v_last uuid;
begin
  select n.id into v_last from (
    select o.id from outbox o where o.app_id = p_app and o.id > p_after and o.id < p_before
     order by o.id limit p_rows) n
   order by n.id desc limit 1;
  return v_last;
end $$;

-- The events after p_after up to p_through, with the day (UTC), campaign, platform and batch to which each adds.
create or replace function counted_events(p_app uuid, p_after uuid, p_through uuid)
returns table (
  day date, campaign_id uuid, platform text, batch_id uuid, assigned int, confirmed int, reversed int, earned int,
  claimed int)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  with events as materialized (
    select o.type, o.created_at, o.payload,
           case when o.type like 'referral.%' then (o.payload ->> 'referral_id')::uuid
                when o.type = 'reward.claimed' then (o.payload ->> 'reward_id')::uuid end as assignment
      from outbox o
     where o.app_id = p_app and o.id > p_after and o.id <= p_through
       and o.type in ('referral.code_assigned', 'referral.redeemed', 'referral.reversed', 'reward.earned', 'reward.claimed'))
  select (e.created_at at time zone 'UTC')::date,
         coalesce((e.payload ->> 'campaign_id')::uuid, w.campaign_id, '00000000-0000-0000-0000-000000000000'),
         coalesce(e.payload ->> 'platform', 'any'),
         coalesce(old.batch_id, c.batch_id),
         (e.type = 'referral.code_assigned')::int,
         (e.type = 'referral.redeemed' and e.first)::int,
         (e.type = 'referral.reversed')::int - (e.type = 'referral.redeemed' and not e.first)::int,
         (e.type = 'reward.earned')::int,
         (e.type = 'reward.claimed')::int
    from (
      -- A restored referral emits `redeemed` again. The first event is the one at exactly confirmed_at, because now() is
      -- constant in a transaction, or one of a confirmation that was undone.
      select v.*, coalesce(v.type <> 'referral.redeemed'
               or exists (
                 select 1 from undone_steps u
                  where u.app_id = p_app and u.referral_id = v.assignment and u.happened_at = v.created_at)
               or (select r.confirmed_at is not distinct from v.created_at
                     from referrals r where r.app_id = p_app and r.id = v.assignment),
               -- A released referral has no row; each of its confirmations is an undone step.
               not exists (
                 select 1 from undone_steps u
                  where u.app_id = p_app and u.referral_id = v.assignment and u.step = 'redeemed')) as first
        from events v) e
    left join lateral (
      select r.campaign_id from rewards r
       where e.type = 'reward.claimed' and r.app_id = p_app and r.id = e.assignment limit 1) w on true
    left join lateral (
      select k.batch_id from codes k where k.app_id = p_app and k.assignment_id = e.assignment
      union all
      select k.batch_id from undone_steps u join codes k on k.app_id = p_app and k.id = u.code_id
       where u.app_id = p_app and u.referral_id = e.assignment
      limit 1) c on true
    -- Of replaced codes the first counts as assigned, and the one at the time of the confirmation as confirmed.
    left join lateral (
      select k.batch_id from code_replacements x
        join codes k on k.app_id = p_app and k.id = x.old_code_id
       where x.app_id = p_app and x.assignment_id = e.assignment
         and (e.type <> 'referral.redeemed' or x.created_at > e.created_at)
       order by x.created_at limit 1) old on true;
end $$;

-- The sums of these events by day, campaign, platform and batch, as a list of the rows of listed_counts. A cluster refuses
-- functions over tables in a statement over tables, so callers read the list first.
create or replace function event_counts(p_app uuid, p_after uuid, p_through uuid) returns jsonb
language plpgsql stable as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(c)), '[]') from (
      select e.day, e.campaign_id, e.platform, e.batch_id, sum(e.assigned) as assigned, sum(e.confirmed) as confirmed,
             sum(e.reversed) as reversed, sum(e.earned) as earned, sum(e.claimed) as claimed
        from counted_events(p_app, p_after, p_through) e
       group by e.day, e.campaign_id, e.platform, e.batch_id) c);
end $$;

-- A list of counts as rows.
create or replace function listed_counts(p_counts jsonb)
returns table (
  day date, campaign_id uuid, platform text, batch_id uuid, assigned int, confirmed int, reversed int, earned int,
  claimed int)
language plpgsql immutable as $$
begin
  return query select * from jsonb_to_recordset(p_counts) as c (
    day date, campaign_id uuid, platform text, batch_id uuid, assigned int, confirmed int, reversed int, earned int,
    claimed int);
end $$;
