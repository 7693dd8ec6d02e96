-- Applies an event of the inbox again with what today's adapter reads in it (p_reading: columns of its row). An event that has
-- confirmed, reversed or restored is returned unchanged, with "done". p_by_hand: a member asked for it, so a purchase older than
-- the redemption counts too; a refund of another purchase has to be linked instead.
create or replace function replay_confirmation(p_app uuid, p_id uuid, p_reading jsonb, p_by_hand boolean)
returns jsonb language plpgsql as $$
declare
  v_event provider_events;
  v_before text;
begin
  select * into v_event from provider_events where app_id = p_app and id = p_id for update;
  if not found then
    return '{"verdict": "not_found"}';
  end if;
  v_before := v_event.verdict;
  -- The caller read the payload without a lock. If it was cut or erased meanwhile, that reading no longer counts.
  if v_event.payload = '{}' then
    p_reading := '{}';
  end if;
  -- A purchase that changed nothing may still count for the next redemption, but only within the round's time limit. A replay by
  -- hand has none, so one purchase could confirm a second referral of the same person.
  if v_before in ('confirmed', 'reversed', 'restored') or v_before = 'already_confirmed' and p_by_hand then
    return jsonb_build_object('verdict', v_before, 'referral_id', v_event.referral_id, 'done', true);
  end if;
  if v_event is distinct from jsonb_populate_record(v_event, p_reading) then
    v_event := jsonb_populate_record(v_event, p_reading);
    update provider_events
       set type = v_event.type, uids = v_event.uids, confirmation = v_event.confirmation, links = v_event.links,
           occurred_at = v_event.occurred_at, purchase_id = v_event.purchase_id
     where app_id = p_app and id = p_id;
  end if;
  if v_before = 'unreadable' and not p_reading ? 'confirmation' then
    return '{"verdict": "unreadable", "before": "unreadable"}';
  end if;
  return apply_event(p_app, v_event, p_by_hand and v_event.confirmation ->> 'kind' = 'confirm') || jsonb_build_object('before', v_before);
end $$;
