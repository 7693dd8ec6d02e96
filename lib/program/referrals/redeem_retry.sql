-- The responses to a retry: a redeem whose first response may never have arrived.

-- Step 5: the referee has redeemed in this campaign. An honest retry (same metacode and platform, within the app's window, not yet
-- confirmed) is shown the code again, because the first response may never have arrived, or support has replaced a dead code since.
-- `refused_for` names the referral: once that is released, the refusal no longer holds.
create or replace function already_redeemed(
  p_app uuid, p_campaign uuid, p_referee_uid text, p_referrer uuid, p_platform text, p_window_hours int, p_answer jsonb)
returns jsonb language plpgsql as $$
declare
  v_referral uuid;
  v_assigned jsonb;
begin
  select f.id, case
           when f.referrer_id = p_referrer and f.platform = p_platform and f.status = 'code_assigned'
             and c.assigned_at > now() - make_interval(hours => p_window_hours)
           then jsonb_build_object('code', c.code, 'kind', b.kind, 'referral_id', f.id) end
    into v_referral, v_assigned
    from referrals f
    join codes c on c.app_id = p_app and c.assignment_id = f.id
    join batches b on b.app_id = p_app and b.id = c.batch_id
   where f.app_id = p_app and f.campaign_id = p_campaign and f.referee_uid = p_referee_uid;
  return jsonb_build_object(
    'verdict', 'ALREADY_REDEEMED', 'refused_for', v_referral, 'redemption', p_answer || v_assigned);
end $$;

-- Frees an offer for an end user, unless they have another code of it, as Google Play allows.
create or replace function free_offer(p_app uuid, p_platform text, p_offer text, p_uid text) returns void language plpgsql as $$
declare
  v_assignments uuid[];
begin
  if p_offer is null then
    return;
  end if;
  -- Waits for a request that is assigning another code of the offer, so that the statements below see that code.
  perform 1 from offer_takers where app_id = p_app and platform = p_platform and offer = p_offer and uid = p_uid for update;
  v_assignments := array(
    select id from referrals where app_id = p_app and referee_uid = p_uid
    union all
    select w.id from rewards w join referrers r on r.app_id = p_app and r.id = w.referrer_id
     where w.app_id = p_app and w.status = 'claimed'
       -- The uid of an erased referrer is the pseudonym followed by an id.
       and (r.uid = p_uid or r.uid > p_uid || ':' and r.uid < p_uid || ';'));
  delete from offer_takers
   where app_id = p_app and platform = p_platform and offer = p_offer and uid = p_uid and not exists (
     select 1 from codes c join batches b on b.app_id = p_app and b.id = c.batch_id
      where c.app_id = p_app and c.platform = p_platform and b.offer = p_offer and c.assignment_id = any(v_assignments)
        and c.redeemed_by_uid = p_uid);
end $$;

-- An erased end user has returned: copies their used offers from the pseudonym back to the uid. Releasing or replacing a code from
-- before the erasure frees its offer for the pseudonym only, so that offer is freed for the uid here.
create or replace function recall_offers(p_app uuid, p_platforms text[], p_uid text, p_pseudonym text) returns void
language plpgsql as $$
declare
  v_known text[];
  v_freed record;
begin
  -- An erasure stores its mark before the first row carries the pseudonym.
  perform 1 from erased_people
    where app_id = p_app and uid_hash = decode(translate(substr(p_pseudonym, 8), '-_', '+/') || '=', 'base64');
  if not found then
    return;
  end if;
  v_known := array(select distinct b.offer from batches b where b.app_id = p_app and b.offer is not null);
  for v_freed in
    select t.platform, t.offer from offer_takers t
     where t.app_id = p_app and t.platform = any(p_platforms) and t.offer = any(v_known) and t.uid = p_uid and not exists (
       select 1 from offer_takers o
        where o.app_id = p_app and o.platform = t.platform and o.offer = t.offer and o.uid = p_pseudonym)
  loop
    perform free_offer(p_app, v_freed.platform, v_freed.offer, p_uid);
  end loop;
  insert into offer_takers (app_id, platform, offer, uid)
  select p_app, t.platform, t.offer, p_uid from offer_takers t
   where t.app_id = p_app and t.platform = any(p_platforms) and t.offer = any(v_known) and t.uid = p_pseudonym
  on conflict do nothing;
end $$;

-- Step 5 for a referee who was erased and has returned: their rows carry a pseudonym. Another campaign accepts them, but still assigns
-- no second code of a store's offer, so their used offers are copied back to the uid.
create or replace function erased_before(
  p_app uuid, p_campaign uuid, p_platform text, p_referee_uid text, p_pseudonym text)
returns boolean language plpgsql as $$
begin
  perform 1 from referrals where app_id = p_app and campaign_id = p_campaign and referee_uid = p_pseudonym;
  if found then
    return true;
  end if;
  perform recall_offers(p_app, array[p_platform], p_referee_uid, p_pseudonym);
  return false;
end $$;

-- Steps 2 and 3 for a metacode that is no longer open: the refusal, with the response that the referee already got. A referee whose
-- first response was lost must not lose the code because the campaign ended at midnight. The current campaign may be another one.
create or replace function refuse_closed(
  p_verdict text, p_app uuid, p_referee_uid text, p_referrer uuid, p_platform text, p_window_hours int, p_answer jsonb)
returns jsonb language plpgsql as $$
declare
  v_assigned jsonb;
begin
  select jsonb_build_object('code', c.code, 'kind', b.kind, 'referral_id', f.id, 'instructions', p.instructions)
    into v_assigned
    from referrals f
    join codes c on c.app_id = p_app and c.assignment_id = f.id
    join batches b on b.app_id = p_app and b.id = c.batch_id
    left join campaign_platforms p
      on p.app_id = p_app and p.campaign_id = f.campaign_id and p.platform = p_platform
   where f.app_id = p_app and f.referee_uid >= p_referee_uid and f.referee_uid <= p_referee_uid
     and f.referrer_id = p_referrer and f.platform = p_platform and f.status = 'code_assigned'
     and c.assigned_at > now() - make_interval(hours => p_window_hours)
   order by f.referee_uid desc, f.created_at desc limit 1;
  return jsonb_build_object('verdict', p_verdict, 'redemption', p_answer || v_assigned);
end $$;

-- A refusal of step 4, with the response that the referee got in an earlier campaign, because that may have been lost.
create or replace function with_earlier(
  p_refusal jsonb, p_app uuid, p_referee_uid text, p_referrer uuid, p_platform text, p_window_hours int, p_answer jsonb)
returns jsonb language plpgsql as $$
begin
  return refuse_closed(
    p_refusal ->> 'verdict', p_app, p_referee_uid, p_referrer, p_platform, p_window_hours, p_answer) || p_refusal;
end $$;

-- The refusal of a campaign that has spent its budget for codes: over for new referees, but an honest retry is shown its code.
create or replace function budget_spent(
  p_app uuid, p_referee_uid text, p_referrer uuid, p_platform text, p_answer jsonb)
returns jsonb language plpgsql as $$
declare
  v_window_hours int;
begin
  select retry_window_hours into v_window_hours from apps where id = p_app;
  return refuse_closed('CAMPAIGN_INACTIVE', p_app, p_referee_uid, p_referrer, p_platform, v_window_hours, p_answer)
    || '{"reason": "budget"}';
end $$;

-- Stores the response to a redeem under its key, except one that invites a retry, that time or a member's decision can overturn,
-- that names a referral whose release has begun or ended (it deletes stored ones), or that refuses an erased referee and names none.
create or replace function store_redeem(p_app uuid, p_key text, p_hash bytea, p_result jsonb) returns void
language plpgsql as $$
declare
  v_id uuid;
begin
  if p_result ->> 'verdict' = 'NO_CODES_AVAILABLE' or p_result ->> 'reason' in ('referrer_daily_cap', 'dismissed', 'budget')
     or p_result ->> 'verdict' = 'ALREADY_REDEEMED' and p_result ->> 'refused_for' is null then
    return;
  end if;
  -- Never waits for the referral, because a group may hold codes.
  foreach v_id in array array[p_result #>> '{redemption,referral_id}', p_result ->> 'refused_for'] loop
    continue when v_id is null;
    perform 1 from referrals where app_id = p_app and id >= v_id and id <= v_id order by id for key share skip locked;
    if not found then
      return;
    end if;
  end loop;
  perform store_answer(p_app, 'redeem', p_key, p_hash, p_result);
end $$;
