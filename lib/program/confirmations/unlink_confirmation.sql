-- Takes an event back from the referral to which a member linked it, and returns it to the inbox. Returns
-- {"verdict": ...}; "OK" with "referral_id".

-- Undoes the confirmation of a referral by a linked purchase: the referral waits for a purchase again. Refunds of that purchase
-- return to the inbox with it. Purchases of the referee that came in the meantime are applied, with their refunds; one from long
-- before the code returns to the inbox too.
create or replace function undo_confirmation(p_app uuid, p_referral referrals, p_event provider_events) returns void
language plpgsql as $$
declare
  v_own provider_events;
begin
  if p_referral.reversed_at is null then
    perform announce_referral(p_app, p_referral, 'reverse');
  end if;
  insert into undone_steps (
    app_id, id, referral_id, step, campaign_id, referrer_id, referee_uid, platform, happened_at, reversed_at)
  values (
    p_app, new_id(), p_referral.id, 'redeemed', p_referral.campaign_id, p_referral.referrer_id,
    p_referral.referee_uid, p_referral.platform, p_referral.confirmed_at, coalesce(p_referral.reversed_at, now()));
  update referrals
     set status = 'code_assigned', confirmed_at = null, confirmed_by = null, confirmed_purchase = null, purchased_at = null,
         reversed_at = null, reversed_by = null, turned_at = null, counts_from = null, held = false
   where app_id = p_app and campaign_id = p_referral.campaign_id and referee_uid = p_referral.referee_uid;
  update codes set status = 'assigned' where app_id = p_app and assignment_id = p_referral.id;
  perform uncount_confirmed_code(p_app, p_referral.id);
  perform return_refunds(p_app, p_referral.id, p_event.purchase_id);
  for v_own in
    select * from provider_events
     where app_id = p_app and referral_id = p_referral.id and verdict = 'already_confirmed'
     order by coalesce(occurred_at, created_at), id limit 50
  loop
    perform apply_event(p_app, v_own, false);
  end loop;
end $$;

-- Makes an event unmatched again, to be found by its ids.
create or replace function return_to_inbox(p_app uuid, p_event provider_events) returns void language plpgsql as $$
begin
  update provider_events set verdict = 'unmatched', referral_id = null, matched_by = null
   where app_id = p_app and id = p_event.id;
  insert into waiting_uids (app_id, uid, id, created_at)
  select p_app, u.uid, p_event.id, p_event.created_at from unnest(p_event.uids) as u(uid)
  on conflict do nothing;
end $$;

-- Returns the refunds of a purchase that no longer confirms this referral, and their withdrawals, to the inbox.
create or replace function return_refunds(p_app uuid, p_referral uuid, p_purchase text) returns void language plpgsql as $$
declare
  v_refund provider_events;
begin
  for v_refund in
    select * from provider_events
     where app_id = p_app and referral_id = p_referral and verdict = any(array['reversed', 'restored'])
       and purchase_id is not null and p_purchase is not null and not other_purchase(purchase_id, p_purchase)
  loop
    perform return_to_inbox(p_app, v_refund);
  end loop;
end $$;

-- The time of the last refund that a referral still has, or of the last withdrawal of one.
create or replace function last_turn(p_app uuid, p_referral uuid) returns timestamptz language plpgsql as $$
begin
  return (
    select max(coalesce(occurred_at, created_at)) from provider_events
     where app_id = p_app and referral_id = p_referral and verdict = any(array['reversed', 'restored']));
end $$;

create or replace function unlink_confirmation(p_app uuid, p_id uuid) returns jsonb language plpgsql as $$
declare
  v_event provider_events;
  v_other provider_events;
  v_id uuid;
  v_referral referrals;
  v_confirms boolean;
  v_followers uuid[] := '{}';
  v_confirming text[] := array['confirmed', 'already_confirmed', 'not_paid', 'renewal'];
begin
  -- The referral is locked before the event, as by a purchase that takes the place of this one.
  select referral_id into v_id from provider_events where app_id = p_app and id = p_id;
  select * into v_referral from referrals where app_id = p_app and id = v_id for update;
  select * into v_event from provider_events where app_id = p_app and id = p_id and referral_id = v_id for update;
  if not found or coalesce(v_event.matched_by ->> 'hand', '') <> 'true' then
    return '{"verdict": "NOT_LINKED"}';
  end if;
  -- Events that reached the referral by this event's purchase only: no other event of it names the person or was linked to them.
  if v_event.confirmation ->> 'kind' = 'confirm' then
    v_followers := array(
      select f.id from provider_events f
       where f.app_id = p_app and f.referral_id = v_id and f.purchase_id = v_event.purchase_id and f.matched_by ->> 'purchase' = 'true'
         and f.verdict = any(v_confirming) and not exists (
           select 1 from provider_events o
            where o.app_id = p_app and o.referral_id = v_id and o.purchase_id = f.purchase_id and o.id <> v_event.id
              and o.matched_by ->> 'purchase' is null and o.verdict = any(v_confirming) and (f.uids = '{}' or o.uids && f.uids)));
  end if;
  v_confirms := v_referral.confirmed_by = any(v_event.id || v_followers);
  -- A reversal by hand stands: without this purchase the referral would be open, or count again through another one. The refund that a
  -- withdrawal took back can only reverse a referral that counts.
  if (v_confirms or v_event.verdict = 'restored') and v_referral.reversed_at is not null and v_referral.reversed_by is null then
    return '{"verdict": "REVERSED"}';
  end if;
  perform return_to_inbox(p_app, v_event);
  for v_other in select * from provider_events where app_id = p_app and id = any(v_followers) loop
    perform return_to_inbox(p_app, v_other);
  end loop;
  select * into v_other from provider_events
   where app_id = p_app and referral_id = v_id and verdict = any(array['reversed', 'restored']) order by judged_at desc limit 1;
  if v_confirms then
    perform undo_confirmation(p_app, v_referral, v_event);
  elsif v_event.id = v_referral.reversed_by then
    v_referral.turned_at := last_turn(p_app, v_referral.id);
    if v_event.judged_at = v_referral.reversed_at and not is_own_referral(p_app, v_referral) then
      perform settle_referral(p_app, v_referral, 'restore', null);
    else
      -- The refund only became the reason of a reversal by hand, which stands.
      v_referral.reversed_by := null;
      perform store_referral(p_app, v_referral);
    end if;
  elsif v_event.verdict = 'restored' and v_referral.reversed_at is null and v_other.verdict = 'reversed'
    and v_other.judged_at <= v_event.judged_at and not exists (
    select 1 from rewards
     where app_id = p_app and referrer_id = v_referral.referrer_id and campaign_id = v_referral.campaign_id and withdrawn_with = v_id) then
    -- The refund that it withdrew reverses again, now. Not if it undid a reversal by hand or restored a reward, which stays earned.
    update provider_events set judged_at = now() where app_id = p_app and id = v_other.id;
    v_referral.turned_at := last_turn(p_app, v_id);
    perform settle_referral(p_app, v_referral, 'reverse', v_other.id);
  elsif v_event.verdict = 'not_paid' and v_referral.status = 'code_assigned' and v_referral.confirmed_purchase = v_event.purchase_id
    and not exists (
      select 1 from provider_events
       where app_id = p_app and referral_id = v_id and purchase_id = v_event.purchase_id and verdict = 'not_paid') then
    -- The payment of the trial would still confirm this referral, to which no other event of the trial leads.
    v_referral.confirmed_purchase := null;
    v_referral.purchased_at := null;
    perform store_referral(p_app, v_referral);
  elsif v_event.verdict = 'already_confirmed' and v_referral.status = 'redeemed' and v_referral.confirmed_by is null
    and v_referral.confirmed_purchase = v_event.purchase_id then
    -- This was the first purchase of a referral that a member confirmed: the referee's next one takes its place, and a refund of that
    -- one, which may have come meanwhile, counts.
    v_referral.confirmed_purchase := null;
    v_referral.purchased_at := null;
    for v_other in
      select * from provider_events
       where app_id = p_app and referral_id = v_id and verdict = 'already_confirmed'
       order by coalesce(occurred_at, created_at), id limit 50
    loop
      v_referral := with_first_purchase(p_app, v_referral, v_other);
    end loop;
    if v_referral.confirmed_purchase is null then
      v_referral.purchased_at := v_referral.confirmed_at;
      perform store_referral(p_app, v_referral);
    else
      perform apply_waiting(p_app, array[v_referral.referee_uid], null, array['reverse', 'restore']);
    end if;
  elsif v_event.verdict = any(array['confirmed', 'reversed', 'restored']) then
    return '{"verdict": "OVERTAKEN"}';
  end if;
  return jsonb_build_object('verdict', 'OK', 'referral_id', v_event.referral_id);
end $$;
