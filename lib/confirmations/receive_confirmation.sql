-- Section 3.2: what a provider's event does to the referral of that person.

-- One more (or one fewer) confirmed referral, and the rewards that are due by it. The row lock of the progress puts
-- parallel confirmations of one referrer in a line, so that no reward is lost between two of them.
create or replace function count_referral(p_app uuid, p_referral referrals, p_step int) returns void
language plpgsql as $$
declare
  v_rule record;
  v_done record;
  v_due int;
begin
  insert into referrer_progress as g (app_id, referrer_id, campaign_id, platform, confirmed)
  values (p_app, p_referral.referrer_id, p_referral.campaign_id, p_referral.platform, greatest(p_step, 0))
  on conflict (app_id, referrer_id, campaign_id, platform) do update set confirmed = g.confirmed + p_step
  returning confirmed, earned into v_done;
  select p.threshold, p.reward_cap into v_rule
    from campaigns c
    join campaign_platforms p on p.app_id = p_app and p.campaign_id = c.id and p.platform = p_referral.platform
   where c.app_id = p_app and c.id = p_referral.campaign_id and c.type = 'referral';
  v_due := least(v_done.confirmed / v_rule.threshold, v_rule.reward_cap);
  if v_due is null or v_due <= v_done.earned then
    return;
  end if;
  for v_number in v_done.earned + 1 .. v_due loop
    insert into rewards (app_id, id, referrer_id, campaign_id, platform, reward_number)
    values (p_app, new_id(), p_referral.referrer_id, p_referral.campaign_id, p_referral.platform, v_number)
    on conflict (app_id, referrer_id, campaign_id, platform, reward_number) do nothing;
    perform emit(p_app, 'reward.earned', jsonb_build_object(
      'referrer_id', p_referral.referrer_id, 'campaign_id', p_referral.campaign_id,
      'platform', p_referral.platform, 'reward_number', v_number));
  end loop;
  update referrer_progress set earned = v_due
   where app_id = p_app and referrer_id = p_referral.referrer_id and campaign_id = p_referral.campaign_id
     and platform = p_referral.platform;
end $$;

-- The referral of one of these ids, in their order, the newest first, locked. p_kind says in which state it must be.
create or replace function match_referral(p_app uuid, p_uids text[], p_kind text) returns referrals
language plpgsql as $$
declare
  v_uid text;
  v_referral referrals;
begin
  foreach v_uid in array p_uids loop
    select * into v_referral from referrals
     where app_id = p_app and referee_uid = v_uid
       and case p_kind
             when 'confirm' then status = 'code_assigned'
             when 'reverse' then status = 'redeemed' and reversed_at is null
             else reversed_at is not null
           end
     order by created_at desc limit 1 for update;
    exit when found;
  end loop;
  return v_referral;
end $$;

-- What an event that no open referral answers to is called: one already counted, or nobody's.
create or replace function unmatched_result(p_app uuid, p_uids text[], p_kind text) returns jsonb
language plpgsql as $$
declare
  v_id uuid;
begin
  if p_kind = 'confirm' then
    select id into v_id from referrals
     where app_id = p_app and referee_uid = any(p_uids) and status = 'redeemed'
     order by created_at desc limit 1;
  end if;
  return jsonb_build_object(
    'verdict', case when v_id is null then 'unmatched' else 'already_confirmed' end, 'referral_id', v_id);
end $$;

-- Moves a referral that the caller has locked: `confirm`, `reverse` or `restore`, with the counts, the rewards that it
-- makes due and the event. p_event is the provider's, null where a person did it.
create or replace function settle_referral(p_app uuid, p_referral referrals, p_kind text, p_event uuid) returns void
language plpgsql as $$
begin
  if p_kind = 'confirm' then
    update referrals set status = 'redeemed', confirmed_at = now(), confirmed_by = p_event
     where app_id = p_app and campaign_id = p_referral.campaign_id and referee_uid = p_referral.referee_uid;
    update codes set status = 'confirmed' where app_id = p_app and assignment_id = p_referral.id;
  else
    update referrals set reversed_at = case when p_kind = 'reverse' then now() end,
           reversed_by = case when p_kind = 'reverse' then p_event end
     where app_id = p_app and campaign_id = p_referral.campaign_id and referee_uid = p_referral.referee_uid;
  end if;
  perform count_referral(p_app, p_referral, case when p_kind = 'reverse' then -1 else 1 end);
  perform emit(p_app, case when p_kind = 'reverse' then 'referral.reversed' else 'referral.redeemed' end,
    jsonb_build_object(
      'referral_id', p_referral.id, 'referrer_id', p_referral.referrer_id, 'campaign_id', p_referral.campaign_id,
      'referee_uid', p_referral.referee_uid, 'platform', p_referral.platform));
end $$;

-- Applies what an adapter read in an event ({"kind", "paid", "renewal", "sandbox"}); returns {"verdict", "referral_id"}.
create or replace function apply_confirmation(p_app uuid, p_uids text[], p_confirmation jsonb, p_event uuid)
returns jsonb language plpgsql as $$
declare
  v_kind text := p_confirmation ->> 'kind';
  v_referral referrals;
  v_policy record;
begin
  if v_kind = 'ignore' then
    return '{"verdict": "ignored"}';
  end if;
  if (p_confirmation ->> 'sandbox')::boolean and not (select sandbox from apps where id = p_app) then
    return '{"verdict": "sandbox"}';
  end if;
  v_referral := match_referral(p_app, p_uids, v_kind);
  if v_referral.id is null then
    return unmatched_result(p_app, p_uids, v_kind);
  end if;

  if v_kind = 'confirm' then
    select confirm_on, confirm_any_renewal into v_policy
      from campaigns where app_id = p_app and id = v_referral.campaign_id;
    -- A renewal without a trace of the code may belong to a subscription older than the code.
    if (p_confirmation ->> 'renewal')::boolean and not v_policy.confirm_any_renewal then
      return jsonb_build_object('verdict', 'renewal', 'referral_id', v_referral.id);
    end if;
    if v_policy.confirm_on = 'paid' and not (p_confirmation ->> 'paid')::boolean then
      return jsonb_build_object('verdict', 'not_paid', 'referral_id', v_referral.id);
    end if;
  end if;
  perform settle_referral(p_app, v_referral, v_kind, p_event);
  return jsonb_build_object('referral_id', v_referral.id, 'verdict',
    case v_kind when 'confirm' then 'confirmed' when 'reverse' then 'reversed' else 'restored' end);
end $$;

-- One event of a provider: once, however often it is delivered. The inbox row is written last with its verdict; where
-- a twin delivered at the same time has written it, SQLSTATE MC200 undoes everything done here.
create or replace function receive_confirmation(
  p_app uuid, p_connection uuid, p_id uuid, p_event_id text, p_type text, p_uids text[], p_confirmation jsonb,
  p_payload jsonb)
returns jsonb language plpgsql as $$
declare
  v_result jsonb;
begin
  select jsonb_build_object('verdict', 'duplicate', 'referral_id', referral_id) into v_result
    from provider_events where app_id = p_app and connection_id = p_connection and event_id = p_event_id;
  if found then
    return v_result;
  end if;
  v_result := apply_confirmation(p_app, p_uids, p_confirmation, p_id);
  insert into provider_events
    (app_id, id, connection_id, event_id, type, uids, confirmation, verdict, referral_id, payload)
  values (p_app, p_id, p_connection, p_event_id, p_type, p_uids, p_confirmation, v_result ->> 'verdict',
          (v_result ->> 'referral_id')::uuid, p_payload)
  on conflict (app_id, connection_id, event_id) do nothing;
  if not found then
    raise exception 'delivered twice at the same time' using errcode = 'MC200';
  end if;
  return v_result;
end $$;

-- Links an unmatched event to a person by hand and applies it.
create or replace function link_confirmation(p_app uuid, p_id uuid, p_uid text) returns jsonb language plpgsql as $$
declare
  v_event provider_events;
  v_result jsonb;
begin
  select * into v_event from provider_events
   where app_id = p_app and id = p_id and verdict = 'unmatched' for update;
  if not found then
    return '{"verdict": "not_found"}';
  end if;
  v_result := apply_confirmation(p_app, array[p_uid], v_event.confirmation, p_id);
  update provider_events set verdict = v_result ->> 'verdict', referral_id = (v_result ->> 'referral_id')::uuid
   where app_id = p_app and id = p_id;
  return v_result;
end $$;
