-- When somebody has to come back to a delivery that was not its turn; until then others do.
create or replace function put_off_webhook(p_app uuid, p_id uuid, p_until timestamptz, p_state text) returns jsonb
language plpgsql as $$
begin
  update webhook_deliveries set wake_at = p_until where app_id = p_app and id = p_id;
  return jsonb_build_object('state', p_state);
end $$;

-- Gives a delivery to whoever is to send it now, until the lease ends, or says why it is not its turn: an earlier one of
-- its lane is open, its next attempt is not due, the endpoint is off or slowed, or enough are on their way there. An
-- endpoint that was slowed gets one at a time until it takes one.
--
-- The first of the lane is locked, not the delivery: whoever finishes that one has either done so, or sees this one when
-- it looks for the next. So none is left behind, and locks are always taken from the front of a lane.
create or replace function take_webhook(p_app uuid, p_id uuid, p_rules jsonb) returns jsonb language plpgsql as $$
declare
  v_asked webhook_deliveries;
  v_first webhook_deliveries;
  v_endpoint webhook_endpoints;
  v_parallel int;
begin
  select * into v_asked from webhook_deliveries where app_id = p_app and id = p_id;
  select * into v_first from webhook_deliveries
   where app_id = p_app and endpoint_id = v_asked.endpoint_id and lane = v_asked.lane
     and place <= v_asked.place and status in ('pending', 'failed')
   order by place limit 1 for update;
  if not found then
    return '{"state": "done"}';
  end if;
  if v_first.id <> p_id then
    -- One that waited for another is nobody's business until then, and that other may have been deleted.
    if v_first.wake_at = 'infinity' then
      update webhook_deliveries set wake_at = now() where app_id = p_app and id = v_first.id;
    end if;
    return put_off_webhook(p_app, p_id, 'infinity', 'blocked');
  end if;
  if v_first.leased_until > now() then
    return '{"state": "taken by another"}';
  end if;
  if v_first.due_at > now() then
    perform queue_webhook(p_app, p_id, v_first.due_at);
    return put_off_webhook(p_app, p_id, v_first.due_at + make_interval(secs => (p_rules ->> 'grace')::float8), 'early');
  end if;
  select * into v_endpoint from webhook_endpoints where app_id = p_app and id = v_first.endpoint_id and enabled;
  if not found then
    return put_off_webhook(p_app, p_id, now(), 'off');
  end if;
  if v_endpoint.slowed_until > now() then
    return put_off_webhook(p_app, p_id, v_endpoint.slowed_until, 'held');
  end if;
  v_parallel := case when v_endpoint.slowed_until is null then p_rules ->> 'parallel' else '1' end;
  if v_parallel <= (
    select count(*) from webhook_deliveries
     where app_id = p_app and endpoint_id = v_endpoint.id and leased_until is not null and leased_until > now()) then
    return put_off_webhook(p_app, p_id, now(), 'busy');
  end if;
  v_first.leased_until := now() + make_interval(secs => (p_rules ->> 'lease')::float8);
  update webhook_deliveries
     set leased_until = v_first.leased_until, wake_at = v_first.leased_until, takes = takes + 1
   where app_id = p_app and id = p_id;
  return jsonb_build_object(
    'state', 'taken', 'takes', v_first.takes + 1, 'event', v_first.event_id, 'type', v_first.event_type,
    'payload', v_first.payload, 'created_at', v_first.created_at, 'url', v_endpoint.url, 'secret', v_endpoint.secret,
    'former_secret', case when v_endpoint.former_until > now() then v_endpoint.former_secret end);
end $$;
