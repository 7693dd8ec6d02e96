-- Applies an event of the inbox again, by what is read in it today. Only where it did nothing the first time: an event
-- that confirmed, reversed or restored is done, and comes back as it is.
create or replace function replay_confirmation(p_app uuid, p_id uuid, p_uids text[], p_confirmation jsonb)
returns jsonb language plpgsql as $$
declare
  v_event provider_events;
  v_result jsonb;
begin
  select * into v_event from provider_events where app_id = p_app and id = p_id for update;
  if not found then
    return '{"verdict": "not_found"}';
  end if;
  if v_event.verdict not in ('unmatched', 'dismissed', 'not_paid', 'renewal', 'sandbox', 'ignored') then
    return jsonb_build_object('verdict', v_event.verdict, 'referral_id', v_event.referral_id, 'done', true);
  end if;
  v_result := apply_confirmation(p_app, p_uids, p_confirmation, p_id);
  update provider_events
     set verdict = v_result ->> 'verdict', referral_id = (v_result ->> 'referral_id')::uuid, uids = p_uids,
         confirmation = p_confirmation
   where app_id = p_app and id = p_id;
  return v_result || jsonb_build_object('before', v_event.verdict);
end $$;
