-- Applies a provider's event, and the events that waited for it. The entry point, apply_event, is at the end.

-- Null if the rules of the referral's campaign accept this purchase, otherwise the verdict that refuses it.
create or replace function policy_verdict(p_app uuid, p_referral referrals, p_event provider_events) returns text language plpgsql as $$
declare
  v_policy record;
begin
  select confirm_on, confirm_any_renewal into v_policy from campaigns where app_id = p_app and id = p_referral.campaign_id;
  -- A renewal without a trace of the code may be of a subscription older than the code, unless its trial was reported for this
  -- referral and held back because nothing was paid or another purchase counted by then.
  if (p_event.confirmation ->> 'renewal')::boolean and not v_policy.confirm_any_renewal
    and trial_time(p_app, p_referral, p_event) is null then
    return 'renewal';
  end if;
  if v_policy.confirm_on = 'paid' and not (p_event.confirmation ->> 'paid')::boolean then
    return 'not_paid';
  end if;
  return null;
end $$;

-- The outcome of a purchase by a referee whose referral is already confirmed. A purchase before the confirming one moves the time of
-- purchase, so that a refund between the two belongs to this referral. If it is another purchase, made since the code was assigned,
-- it becomes the confirming one: of several purchases the first confirms, in whatever order they arrive.
create or replace function already_confirmed(p_app uuid, p_event provider_events, p_uids text[]) returns jsonb language plpgsql as $$
declare
  v_referral referrals := paid_referral(p_app, p_uids, p_event.purchase_id);
  v_at timestamptz := event_time(p_event);
  v_uid text;
  v_later text;
  v_applied timestamptz;
  v_restored boolean := false;
  v_verdict text := 'already_confirmed';
  v_earlier boolean := false;
begin
  if v_referral.id is null or v_referral.id <> (p_event.confirmation ->> 'referral')::uuid then
    foreach v_uid in array p_uids loop
      select * into v_referral from referrals
       where app_id = p_app and referee_uid >= v_uid and referee_uid <= v_uid and status = 'redeemed'
         and id = coalesce((p_event.confirmation ->> 'referral')::uuid, id)
       order by referee_uid desc, created_at desc limit 1;
      exit when found;
    end loop;
  end if;
  if v_referral.id is null then
    return '{"verdict": "unmatched"}';
  end if;
  v_later := purchase_of(p_app, v_referral.confirmed_by, v_referral.confirmed_purchase);
  v_referral := with_first_purchase(p_app, v_referral, p_event);
  -- Another purchase that is older than the code changes nothing, nor does an event that waited longer than redemption_grace.
  if v_at < v_referral.purchased_at and v_referral.created_at <= p_event.created_at + redemption_grace() and (v_at >= v_referral.created_at or not other_purchase(p_event.purchase_id, v_later))
     and policy_verdict(p_app, v_referral, p_event) is null then
    v_referral.purchased_at := v_at;
    if other_purchase(p_event.purchase_id, v_later) and not exists (
         select 1 from provider_events
          where app_id = p_app and id = v_referral.reversed_by and matched_by ->> 'hand' = 'true') then
      update provider_events set verdict = v_verdict where app_id = p_app and id = v_referral.confirmed_by;
      v_verdict := 'confirmed';
      v_referral.confirmed_by := p_event.id;
      v_referral.confirmed_purchase := p_event.purchase_id;
      -- Refunds of the later purchase no longer count.
      perform return_refunds(p_app, v_referral.id, v_later);
      select judged_at into v_applied from provider_events
       where app_id = p_app and id = v_referral.reversed_by and verdict = 'unmatched';
      if found then
        v_referral.reversed_by := null;
        -- A reversal at another time is a member's, and the refund only became its reason: it stands.
        v_referral.reversed_at := case when is_own_referral(p_app, v_referral) then v_referral.reversed_at else nullif(v_referral.reversed_at, v_applied) end;
        v_restored := v_referral.reversed_at is null;
      end if;
      v_referral.turned_at := last_turn(p_app, v_referral.id);
    end if;
    perform store_referral(p_app, v_referral);
    if v_restored then
      perform announce_referral(p_app, v_referral, 'restore');
    end if;
    v_earlier := true;
  end if;
  return jsonb_build_object('verdict', v_verdict, 'referral_id', v_referral.id,
    'uid', v_referral.referee_uid, 'moved', v_earlier);
end $$;

-- Applies the event to the referral that these ids lead to. p_announce is false if the caller announces the outcome
-- of several events at once.
create or replace function apply_to_referral(p_app uuid, p_event provider_events, p_uids text[], p_by_hand boolean, p_announce boolean)
returns jsonb language plpgsql as $$
declare
  v_kind text := p_event.confirmation ->> 'kind';
  v_referral referrals := match_referral(p_app, p_event, p_uids, p_by_hand);
  v_changed referrals;
  v_refusal text;
  v_result jsonb;
begin
  if v_referral.id is null then
    return case when v_kind = 'confirm' then already_confirmed(p_app, p_event, p_uids)
                else '{"verdict": "unmatched"}'::jsonb end;
  end if;
  v_result := jsonb_build_object('referral_id', v_referral.id, 'uid', v_referral.referee_uid);
  if v_kind = 'confirm' then
    v_refusal := policy_verdict(p_app, v_referral, p_event);
    if v_refusal = 'not_paid' and p_event.purchase_id is not null then
      perform store_trial(p_app, v_referral, p_event);
    end if;
    if v_refusal is not null then
      return v_result || jsonb_build_object('verdict', v_refusal);
    end if;
  end if;
  v_changed := update_referral_state(
    p_app, v_referral, v_kind, p_event.id, event_time(p_event), p_event.purchase_id);
  if v_kind = 'confirm' or (p_announce and (v_kind = 'restore' or v_referral.reversed_at is null)) then
    perform announce_referral(p_app, v_changed, v_kind);
  end if;
  return v_result || jsonb_build_object('moved', true, 'was_reversed', v_referral.reversed_at is not null,
    'verdict', case v_kind when 'confirm' then 'confirmed' when 'reverse' then 'reversed' else 'restored' end);
end $$;

-- Finds the referral of an event and applies the event to it: by the event's own ids first, then by ids linked with
-- them, then by its purchase. Linked ids are tried together with its own where follows_links says so. "matched_by"
-- in the result names the id that matched.
create or replace function match_by_ids(p_app uuid, p_event provider_events, p_by_hand boolean, p_announce boolean) returns jsonb
language plpgsql as $$
declare
  v_kind text := p_event.confirmation ->> 'kind';
  v_linked jsonb;
  v_uids text[];
  v_others text[];
  v_leader referrals;
  v_result jsonb;
  v_match jsonb;
begin
  if v_kind = 'ignore' then
    return '{"verdict": "ignored"}';
  end if;
  -- An event that a member linked stays with that referral, whatever ids it names.
  if p_event.matched_by ->> 'hand' = 'true' then
    p_event.uids := array[p_event.matched_by ->> 'uid'];
    p_event.confirmation := p_event.confirmation || jsonb_build_object('referral', p_event.referral_id);
  end if;
  if is_test_in_live_app(p_app, p_event) then
    return '{"verdict": "sandbox"}';
  end if;
  v_uids := p_event.uids;
  if p_event.purchase_id is not null or v_kind = 'confirm' then
    v_linked := linked_uids(p_app, p_event.uids);
    if v_linked <> '[]' then
      v_others := array(
        select x.value ->> 'uid' from jsonb_array_elements(v_linked) with ordinality x order by x.ordinality);
      -- Before the lock: two events that lock own ids first, and then each other's, would deadlock.
      if follows_links(p_app, p_event, v_others) then
        v_uids := v_uids || v_others;
      end if;
    end if;
  end if;
  if lock_referrals(p_app, v_uids) then
    v_result := apply_to_referral(p_app, p_event, v_uids, p_by_hand, p_announce);
    v_match := jsonb_build_object('uid', v_result -> 'uid');
    if v_linked <> '[]' then
      v_match := coalesce((select x.value from jsonb_array_elements(v_linked) x where x.value -> 'uid' = v_result -> 'uid'), v_match);
    end if;
    return v_result || jsonb_build_object('matched_by', v_match);
  end if;
  v_linked := coalesce(v_linked, linked_uids(p_app, p_event.uids));
  v_uids := array(select x.value ->> 'uid' from jsonb_array_elements(v_linked) with ordinality x order by x.ordinality);
  if lock_referrals(p_app, v_uids) then
    v_result := apply_to_referral(p_app, p_event, v_uids, p_by_hand, p_announce);
    return v_result || jsonb_build_object(
      'matched_by', (select x.value from jsonb_array_elements(v_linked) x where x.value -> 'uid' = v_result -> 'uid'));
  end if;
  v_leader := referral_of_purchase(p_app, p_event);
  v_uids := array[v_leader.referee_uid];
  if v_leader.id is not null and lock_referrals(p_app, v_uids) then
    -- A payment confirms only the referral whose trial was held back; none if the purchase confirmed another of the campaign.
    if v_kind = 'confirm' and (paid_referral(p_app, v_uids, p_event.purchase_id)).id is null then
      if confirmed_another(p_app, v_leader, p_event.purchase_id) then
        return '{"verdict": "unmatched"}';
      end if;
      p_event.confirmation := p_event.confirmation || jsonb_build_object('referral', v_leader.id);
    end if;
    v_result := apply_to_referral(p_app, p_event, v_uids, p_by_hand, p_announce);
    return v_result || jsonb_build_object('matched_by', jsonb_build_object('uid', v_leader.referee_uid, 'purchase', true));
  end if;
  return '{"verdict": "unmatched"}';
end $$;

-- Applies an event of the inbox, locked by the caller, and stores the outcome, without the events that wait for it.
-- An event that stays unmatched can be found by its ids afterwards.
create or replace function apply_single_event(p_app uuid, p_event provider_events, p_by_hand boolean, p_announce boolean)
returns jsonb language plpgsql as $$
declare
  v_result jsonb := match_by_ids(p_app, p_event, p_by_hand, p_announce);
  v_referral uuid := (v_result ->> 'referral_id')::uuid;
  -- Not in the CASE of the update, where a cluster accepts only immutable functions.
  v_hand jsonb := jsonb_strip_nulls(jsonb_build_object('hand', p_event.matched_by -> 'hand'));
begin
  -- Writes nothing if nothing changes, because a round calls this every few seconds.
  if v_result ->> 'verdict' = p_event.verdict and p_event.verdict in ('unmatched', 'already_confirmed') and not p_by_hand then
    return v_result;
  -- An event that a member dismissed, or linked although the rules hold it back, stays as it is if it would change nothing.
  elsif v_result ->> 'verdict' = 'unmatched' and (p_event.verdict = 'dismissed'
    or p_event.verdict in ('not_paid', 'renewal') and p_event.matched_by ->> 'hand' = 'true'
      and exists (select from referrals where app_id = p_app and id >= p_event.referral_id and id <= p_event.referral_id)) then
    return jsonb_build_object('kept', true, 'verdict', p_event.verdict) || jsonb_strip_nulls(jsonb_build_object('referral_id', p_event.referral_id, 'uid', p_event.matched_by -> 'uid'));
  end if;
  update provider_events
     set verdict = v_result ->> 'verdict', referral_id = v_referral, failure = null, tries = tries + 1,
         judged_at = now(), matched_by = case when v_referral is not null then (v_result -> 'matched_by') || v_hand end
   where app_id = p_app and id = p_event.id;
  if v_result ->> 'verdict' = 'unmatched' then
    insert into waiting_uids (app_id, uid, id, created_at)
    select p_app, u.uid, p_event.id, p_event.created_at from unnest(p_event.uids) as u(uid)
    on conflict do nothing;
  elsif p_event.verdict <> 'received' then
    delete from waiting_uids where app_id = p_app and id = p_event.id;
  end if;
  return v_result;
end $$;

-- Applies an event and the events that waited for it. An error is stored with the event, and a round tries again. Only an error of the
-- database itself (SQLSTATE classes of an outage) rolls everything back and reaches the caller.
create or replace function apply_event(p_app uuid, p_event provider_events, p_by_hand boolean) returns jsonb
language plpgsql as $$
declare
  v_result jsonb;
  v_message text;
begin
  if p_event.links <> '[]' and remember_links(p_app, p_event) then
    perform apply_waiting(p_app, array(
      select distinct u.value from jsonb_array_elements(p_event.links) x, jsonb_each_text(x.value) u), null,
      array['confirm', 'reverse', 'restore']);
  end if;
  v_result := apply_single_event(p_app, p_event, p_by_hand, true);
  perform apply_dependents(p_app, p_event, v_result);
  return v_result;
exception when others then
  if sqlstate ~ '^(08|53|57|58|40|55|25006|XX000)' then
    raise;
  end if;
  get stacked diagnostics v_message = message_text;
  update provider_events set verdict = 'failed', failure = v_message, tries = tries + 1, judged_at = now()
   where app_id = p_app and id = p_event.id;
  return '{"verdict": "failed"}';
end $$;
