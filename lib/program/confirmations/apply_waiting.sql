-- The unmatched events of these ids and of the purchase. Sorting is off, because a plan made while the table was empty may choose the
-- index of the open events of all apps, and that plan stays.
create or replace function waiting_events(p_app uuid, p_uids text[], p_purchase text) returns uuid[]
language plpgsql set enable_sort = off as $$
begin
  return array(
    select w.id from unnest(p_uids) u (uid) cross join lateral (
      select i.id from waiting_uids i
       where i.app_id = p_app and i.uid >= u.uid and i.uid <= u.uid order by i.uid, i.id) w limit 200) || array(
    select id from provider_events
     where app_id = p_app and purchase_id >= p_purchase and purchase_id <= p_purchase and verdict = 'unmatched'
     order by purchase_id limit 200);
end $$;

-- Applies the events that were waiting for the arrival of this one: events of these ids and of linked ids, of these kinds, and
-- all of the purchase, in the order in which they happened. Their combined change is announced and counted once. An event that
-- another transaction holds is skipped: that transaction applies it after this one.
create or replace function apply_waiting(p_app uuid, p_uids text[], p_purchase text, p_kinds text[]) returns void
language plpgsql as $$
declare
  v_linked jsonb := linked_uids(p_app, p_uids);
  v_uids text[] := p_uids;
  v_ids uuid[];
  v_event provider_events;
  v_result jsonb;
  v_before jsonb := '{}';
  v_referral referrals;
begin
  if v_linked <> '[]' then
    v_uids := v_uids || array(select x.value ->> 'uid' from jsonb_array_elements(v_linked) x);
  end if;
  v_ids := waiting_events(p_app, v_uids, p_purchase);
  if v_ids = '{}' then
    return;
  end if;
  for v_event in
    select e.* from (select distinct i.id from unnest(v_ids) i (id)) w cross join lateral (
      select * from provider_events p
       where p.app_id = p_app and p.id >= w.id and p.id <= w.id and p.verdict = 'unmatched'
         and (p.confirmation ->> 'kind' = any(p_kinds) or p.purchase_id = p_purchase)
       order by p.id for update skip locked) e
     order by coalesce(e.occurred_at, e.created_at), e.id
  loop
    v_result := apply_single_event(p_app, v_event, false, false);
    if v_result ->> 'verdict' in ('reversed', 'restored') and not v_before ? (v_result ->> 'referral_id') then
      v_before := v_before || jsonb_build_object(v_result ->> 'referral_id', v_result -> 'was_reversed');
    end if;
  end loop;
  for v_referral in
    select r.* from jsonb_each_text(v_before) b join referrals r on r.app_id = p_app and r.id = b.key::uuid
     where (r.reversed_at is not null) <> b.value::boolean
  loop
    perform announce_referral(p_app, v_referral, case when v_referral.reversed_at is null then 'restore' else 'reverse' end);
  end loop;
end $$;

-- Applies the events that depend on an applied one: those that wait for a change by it or for the referee of its purchase, renewals
-- that arrived before their trial, and the event itself again, if it is a renewal for which its trial waited.
create or replace function apply_dependents(p_app uuid, p_event provider_events, p_result jsonb) returns void language plpgsql as $$
declare
  v_verdict text := p_result ->> 'verdict';
  v_referral uuid := p_result ->> 'referral_id';
  v_trial boolean;
  v_renewal provider_events;
begin
  if (p_result ->> 'kept')::boolean then
    return;
  end if;
  if (p_result ->> 'moved')::boolean or v_verdict in ('not_paid', 'renewal') then
    perform apply_waiting(
      p_app, array_remove(p_event.uids, p_result ->> 'uid') || (p_result ->> 'uid'), p_event.purchase_id, array['reverse', 'restore']);
  end if;
  if v_verdict = 'renewal' then
    select status = 'code_assigned' and confirmed_purchase = p_event.purchase_id and purchased_at <= event_time(p_event) into v_trial
      from referrals where app_id = p_app and id >= v_referral and id <= v_referral order by id limit 1;
  end if;
  if v_verdict = 'not_paid' or v_verdict = 'already_confirmed' and not (p_result ->> 'moved')::boolean
    and not (p_event.confirmation ->> 'paid')::boolean and not (p_event.confirmation ->> 'renewal')::boolean
    or v_trial then
    for v_renewal in
      select * from provider_events
       where app_id = p_app and purchase_id >= p_event.purchase_id and purchase_id <= p_event.purchase_id
         and (verdict = 'renewal' or verdict = 'already_confirmed'
           and (confirmation @> '{"renewal": true, "paid": true}' or confirmation ? 'conversion'))
       order by purchase_id limit 50 for update skip locked
    loop
      perform apply_event(p_app, v_renewal, false);
    end loop;
  end if;
end $$;

-- Whether an event comes from the stores' sandbox while the app is live, which it must not change.
create or replace function is_test_in_live_app(p_app uuid, p_event provider_events) returns boolean language plpgsql as $$
begin
  if (p_event.confirmation ->> 'sandbox')::boolean then
    return (select not sandbox from apps where id = p_app);
  end if;
  return false;
end $$;

-- Stores that ids belong to one end user; returns whether any link is new. In the sandbox one tester moves a purchase between the
-- ids of many users, so a live app does not learn from it.
create or replace function remember_links(p_app uuid, p_event provider_events) returns boolean language plpgsql as $$
declare
  v_new boolean;
begin
  if is_test_in_live_app(p_app, p_event) then
    return false;
  end if;
  with stored as (
    insert into identity_links (app_id, from_uid, to_uid, type, event_id)
    select p_app, x.value ->> 'from', x.value ->> 'to', p_event.type, p_event.id from jsonb_array_elements(p_event.links) x
    on conflict do nothing returning 1
  )
  select count(*) > 0 into v_new from stored;
  return v_new;
end $$;
