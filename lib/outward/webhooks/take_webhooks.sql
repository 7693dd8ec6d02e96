-- The queue's statements read few rows however many deliveries are open, even by a plan made while none was. So each finds its
-- rows by key, by time, or as the first of a lane. Statements by key or time spell the open statuses differently from the lane
-- index, which the planner could choose otherwise.

-- Stores when a delivery that cannot be sent now is checked again, and returns the reason.
create or replace function postpone_webhook(p_app uuid, p_id uuid, p_until timestamptz, p_state text) returns jsonb
language plpgsql as $$
begin
  update webhook_deliveries set wake_at = p_until, parked_at = null
   where app_id = p_app and id = any(array(
     select id from webhook_deliveries
      where app_id = p_app and id = p_id and status not in ('delivered', 'dead') for update skip locked));
  return jsonb_build_object('state', p_state);
end $$;

-- The time at which a delivery that nothing has woken is checked: 5 to 30 minutes later, spread by id, so a backlog does not
-- come due at once.
create or replace function unwoken_webhook_at(p_at timestamptz, p_id uuid) returns timestamptz
language plpgsql immutable as $$
begin
  return p_at + interval '5 minutes' + (hashtextextended(p_id::text, 0) & 1023) / 1024.0 * interval '25 minutes';
end $$;

-- Parks up to p_limit due deliveries of an endpoint that is off, slowed or busy; wake_webhooks wakes them, a few at a time. One
-- of them is checked by p_again in any case: the attempt that would have woken them may have ended before they were parked.
create or replace function park_webhooks(
  p_app uuid, p_endpoint uuid, p_again timestamptz, p_limit int, p_tests boolean default true)
returns int language plpgsql set enable_sort = off as $$
declare
  v_now timestamptz := now();
  v_parked_at timestamptz := clock_timestamp();
  v_parked int;
  v_oldest timestamptz;
begin
  -- Of a busy endpoint (p_tests false) the first stays: it may be a test event, and its wake_at, which parking would change,
  -- becomes busy_since.
  update webhook_deliveries set parked_at = v_parked_at, wake_at = unwoken_webhook_at(v_now, id)
   where app_id = p_app and id = any(array(
     select id from webhook_deliveries
      where app_id = p_app and endpoint_id = p_endpoint and wake_at <= v_now and coalesce(leased_until <= v_now, true)
      order by wake_at offset case when p_tests then 0 else 1 end limit p_limit for update skip locked));
  get diagnostics v_parked = row_count;
  if not p_tests and v_parked > 0 then
    select wake_at into v_oldest from webhook_deliveries
     where app_id = p_app and endpoint_id = p_endpoint and wake_at <= v_now order by wake_at limit 1;
    update webhook_endpoints set busy_since = v_oldest
     where app_id = p_app and id = any(array(
       select id from webhook_endpoints
        where app_id = p_app and id = p_endpoint and coalesce(busy_since > v_now, true) for update skip locked));
  end if;
  perform 1 from webhook_deliveries
   where app_id = p_app and endpoint_id = p_endpoint and wake_at > now() and wake_at <= p_again
     and leased_until is null
   order by wake_at limit 1;
  if not found then
    perform wake_webhooks(p_app, p_endpoint, 1, p_again);
  end if;
  return v_parked;
end $$;

-- Returns why a delivery cannot be sent now, apart from its endpoint, and stores when it is checked again: an earlier one of its
-- lane is open, its next attempt is not due, or another worker has it. Null, with a lock, if none of this holds.
create or replace function hold_webhook_back(p_app uuid, p_id uuid) returns jsonb
language plpgsql set enable_sort = off as $$
declare
  v_requested webhook_deliveries;
  v_first webhook_deliveries;
begin
  select * into v_requested from webhook_deliveries where app_id = p_app and id = p_id;
  select * into v_first from webhook_deliveries
   where app_id = p_app and endpoint_id = v_requested.endpoint_id and lane = v_requested.lane
     and place <= v_requested.place and status in ('pending', 'failed')
   order by place limit 1;
  if not found then
    update webhook_deliveries set wake_at = null where app_id = p_app and id = p_id and status in ('delivered', 'dead');
    return '{"state": "done"}';
  end if;
  -- Locks the first of the lane, not the delivery: the worker that ends the first has committed, or finds this one when it looks
  -- for the next, so none is left behind. Never waits for a lock: a batch that waited halfway could deadlock.
  select * into v_first from webhook_deliveries
   where app_id = p_app and id = v_first.id and status not in ('delivered', 'dead') for update skip locked;
  if not found then
    return '{"state": "taken by another"}';
  end if;
  if v_first.id <> p_id then
    -- Passes the wake-up on: to the first of the lane if it was parked, else to another delivery of the endpoint.
    if v_first.parked_at is not null then
      perform postpone_webhook(p_app, v_first.id, now(), 'woken');
    elsif v_first.due_at > now() then
      perform wake_webhooks(p_app, v_first.endpoint_id, 1, now());
    end if;
    return postpone_webhook(p_app, p_id, greatest(v_first.due_at, unwoken_webhook_at(now(), p_id)), 'blocked');
  end if;
  if v_first.leased_until > now() then
    return postpone_webhook(p_app, p_id, v_first.leased_until, 'taken by another');
  end if;
  if v_first.due_at > now() then
    return postpone_webhook(p_app, p_id, v_first.due_at, 'early');
  end if;
  return null;
end $$;

-- Returns {"slots", "test"}, how many more deliveries of an endpoint a worker that holds p_own of them may lease and whether a test
-- event may be the first, or {"state", "again"}, why none, and when to check again. Only one worker at a time holds deliveries of an
-- endpoint, so it alone limits the requests to it. A slowed endpoint gets one delivery at a time until it accepts one.
create or replace function webhook_slots(
  p_app uuid, p_endpoint uuid, p_own int, p_rules jsonb, p_test boolean default false)
returns jsonb language plpgsql set enable_sort = off as $$
declare
  v_endpoint record;
  v_slots int;
  v_test boolean := p_test;
begin
  select slowed_until into v_endpoint from webhook_endpoints where app_id = p_app and id = p_endpoint and enabled;
  if not found then
    return jsonb_build_object('state', 'off', 'again', now() + interval '1 minute');
  end if;
  -- A test event waits neither for the end of the pause nor for the worker's other deliveries, only for another test event.
  if v_endpoint.slowed_until > now() and not p_test then
    return jsonb_build_object('state', 'held', 'again', least(v_endpoint.slowed_until, now() + interval '10 seconds'));
  end if;
  v_slots := case when v_endpoint.slowed_until is null then (p_rules ->> 'batch')::int else 1 end - p_own;
  -- The worker sends one test event at a time. Further ones would only keep its leases from the deliveries of other apps.
  if p_test then
    perform 1 from webhook_deliveries
     where app_id = p_app and endpoint_id = p_endpoint and leased_until > now() and event_type = 'webhook.test'
     order by leased_until limit 1;
    v_test := not found;
    v_slots := greatest(v_slots, v_test::int);
  end if;
  if v_slots > 0 and p_own = 0 then
    perform 1 from webhook_deliveries
     where app_id = p_app and endpoint_id = p_endpoint and leased_until > now() order by leased_until limit 1;
    if found then
      v_slots := 0;
    end if;
  end if;
  if v_slots > 0 then
    return jsonb_build_object('slots', v_slots, 'test', v_test);
  end if;
  return jsonb_build_object('state', 'busy', 'again', now() + interval '1 second');
end $$;

-- Leases those of p_ids that are due, free and the first of their lanes, and returns what their requests need. Finds each by key
-- before one statement changes all: a join planned while few deliveries were open reads all of them when there are many. A
-- generic plan is forced: docs/decisions/speed.md.
create or replace function lease_webhooks(p_app uuid, p_endpoint uuid, p_ids uuid[], p_lease float8) returns json[]
language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off as $$
declare
  v_now timestamptz := now();
  v_until timestamptz := v_now + make_interval(secs => p_lease);
  v_endpoint record;
  v_delivery record;
  v_leased json[] := '{}';
begin
  select id, url, secret, case when former_until > now() then former_secret end as former_secret into v_endpoint
    from webhook_endpoints where app_id = p_app and id = p_endpoint;
  for v_delivery in
    update webhook_deliveries d
       set leased_until = v_until, wake_at = v_until, parked_at = null, takes = takes + 1
     where d.app_id = p_app and d.id = any(array(
       select free.id from unnest(p_ids) wanted (id) cross join lateral (
         select f.id from webhook_deliveries f
          where f.app_id = p_app and f.id = wanted.id and f.status not in ('delivered', 'dead') and f.due_at <= v_now
            and coalesce(f.leased_until <= v_now, true) and f.id = (
              select e.id from webhook_deliveries e
               where e.app_id = p_app and e.endpoint_id = p_endpoint and e.lane = f.lane and e.status in ('pending', 'failed')
               order by e.place limit 1)
            for update skip locked) free))
    returning d.id, d.takes, d.event_id, d.event_type, d.payload, d.created_at
  loop
    v_leased := v_leased || json_build_object(
      'state', 'taken', 'app', p_app, 'id', v_delivery.id, 'takes', v_delivery.takes, 'event', v_delivery.event_id,
      'type', v_delivery.event_type, 'payload', v_delivery.payload, 'created_at', v_delivery.created_at,
      'endpoint', p_endpoint, 'url', v_endpoint.url, 'secret', v_endpoint.secret,
      'former_secret', v_endpoint.former_secret);
  end loop;
  return v_leased;
end $$;

-- Leases up to p_limit deliveries of any app, longest waiting first; those of one endpoint together, a test event first. The
-- caller already holds p_counts deliveries of p_endpoints. Of p_slow, the endpoints that answer slowly, few are leased, so they
-- do not use up the caller's leases.
create or replace function take_webhooks(
  p_limit int, p_endpoints uuid[], p_counts int[], p_rules jsonb, p_slow uuid[] default '{}')
returns json language plpgsql as $$
declare
  v_seen int := 0;
  v_due record;
  v_slots jsonb;
  v_chosen uuid[];
  v_leased json[];
  v_taken json[] := '{}';
  -- The most deliveries that a poll reads (v_window) and parks (v_capacity): far fewer than a statement has time for.
  v_window int := p_limit + 100;
  v_capacity int := 2000;
  v_busy jsonb := '{}';
  -- Twice the requests that an endpoint may have under way.
  v_few jsonb := jsonb_build_object('batch', 2 * (p_rules ->> 'parallel')::int);
begin
  -- If a crash of the server loses a lease, its delivery is taken again with the same webhook-id.
  perform set_config('synchronous_commit', 'off', true);
  for v_due in
    select d.app_id, d.endpoint_id, count(*) as seen, (array_agg(d.id order by d.wake_at) filter (where d.test))[1:1] as test,
           array_agg(d.id order by d.wake_at) filter (where not d.test) as others
      from (
        select w.app_id, w.endpoint_id, w.id, w.wake_at, w.event_type = 'webhook.test' as test from webhook_deliveries w
         where w.wake_at <= now()
         order by w.wake_at limit v_window) d
     group by d.app_id, d.endpoint_id order by min(d.wake_at)
  loop
    v_seen := v_seen + v_due.seen;
    v_slots := webhook_slots(v_due.app_id, v_due.endpoint_id,
      coalesce(p_counts[array_position(p_endpoints, v_due.endpoint_id)], 0),
      case when v_due.endpoint_id = any(p_slow) then p_rules || v_few else p_rules end, v_due.test is not null);
    v_chosen := case when (v_slots ->> 'test')::boolean then v_due.test end || v_due.others;
    if v_slots ->> 'state' = 'busy' or v_slots ? 'slots' and v_chosen is null then
      v_busy := v_busy || jsonb_build_object(v_due.endpoint_id, v_due.app_id);
    -- Parks many at once, so that 100,000 deliveries of an endpoint that is off or slowed do not delay another endpoint.
    elsif not v_slots ? 'slots' then
      v_capacity := v_capacity - park_webhooks(v_due.app_id, v_due.endpoint_id, (v_slots ->> 'again')::timestamptz,
        v_capacity);
    end if;
    continue when not v_slots ? 'slots' or v_chosen is null or cardinality(v_taken) >= p_limit;
    v_chosen := v_chosen[1:least((v_slots ->> 'slots')::int, p_limit - cardinality(v_taken))];
    v_leased := lease_webhooks(v_due.app_id, v_due.endpoint_id, v_chosen, (p_rules ->> 'lease')::float8);
    v_taken := v_taken || v_leased;
    if cardinality(v_leased) < cardinality(v_chosen) then
      perform hold_webhook_back(v_due.app_id, c.id) from unnest(v_chosen) c (id)
        where c.id <> all(array(select (l.delivery ->> 'id')::uuid from unnest(v_leased) l (delivery)));
    end if;
  end loop;
  -- More is due than this poll has read, so deliveries of busy endpoints are parked, too.
  if v_seen >= v_window and cardinality(v_taken) < p_limit then
    for v_due in select b.value::uuid as app_id, b.key::uuid as endpoint_id from jsonb_each_text(v_busy) b loop
      exit when v_capacity = 0;
      v_capacity := v_capacity - park_webhooks(v_due.app_id, v_due.endpoint_id, now() + interval '1 second', v_capacity, false);
    end loop;
  end if;
  return array_to_json(v_taken);
end $$;
