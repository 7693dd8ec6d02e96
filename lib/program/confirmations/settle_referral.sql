-- The changes made by a purchase or a refund: the referral, its code, the counts, the rewards.

-- Adds a confirmed referral (p_step 1) or removes it (-1), and earns the rewards that become due; a held referral is only
-- counted as held. The row lock of the progress serializes parallel confirmations of one referrer, so that no reward is
-- lost between two of them.
create or replace function count_referral(p_app uuid, p_referral referrals, p_step int) returns void
language plpgsql as $$
declare
  v_rule record;
  v_done record;
  v_due int;
  v_reward uuid;
begin
  if p_referral.held then
    insert into referrer_progress as g (app_id, referrer_id, campaign_id, platform, held)
    values (p_app, p_referral.referrer_id, p_referral.campaign_id, p_referral.platform, greatest(p_step, 0))
    on conflict (app_id, referrer_id, campaign_id, platform) do update set held = g.held + p_step;
    return;
  end if;
  insert into referrer_progress as g (app_id, referrer_id, campaign_id, platform, confirmed)
  values (p_app, p_referral.referrer_id, p_referral.campaign_id, p_referral.platform, greatest(p_step, 0))
  on conflict (app_id, referrer_id, campaign_id, platform) do update set confirmed = g.confirmed + p_step
  returning confirmed, earned, goodwill, withdrawn into v_done;
  select p.threshold, p.reward_cap into v_rule
    from campaigns c
    join campaign_platforms p on p.app_id = p_app and p.campaign_id = c.id and p.platform = p_referral.platform
   where c.app_id = p_app and c.id = p_referral.campaign_id and c.type = 'referral';
  v_due := least(v_done.confirmed / v_rule.threshold, v_rule.reward_cap) + v_done.goodwill;
  -- An erased referrer earns nothing more: no claim would find the reward.
  if (v_done.withdrawn > 0 or v_due > v_done.earned) and exists (
    select 1 from referrers f
     where f.app_id = p_app and f.id = p_referral.referrer_id and f.status = 'ended' and f.uid like 'erased:%:' || f.id::text) then
    return;
  end if;
  -- Rewards that reversals withdrew come back once they are due again, this referral's first; where the campaign no longer
  -- runs on the platform, that one only.
  if p_step = 1 and v_done.withdrawn > 0 then
    for v_reward in
      select w.id from (
        select id, withdrawn_with = p_referral.id as own, count(*) over () as back,
               row_number() over (order by withdrawn_with = p_referral.id desc, reward_number) as nth
          from rewards
         where app_id = p_app and referrer_id = p_referral.referrer_id and campaign_id = p_referral.campaign_id
           and platform = p_referral.platform and status = 'withdrawn' and withdrawn_with is not null) w
       where coalesce(w.nth <= v_due - v_done.earned + w.back, w.own)
       order by w.nth
    loop
      perform change_withdrawal(p_app, v_reward, 'restore', p_referral.id);
    end loop;
  end if;
  if v_due is null or v_due <= v_done.earned then
    return;
  end if;
  for v_number in v_done.earned + 1 .. v_due loop
    insert into rewards (app_id, id, referrer_id, campaign_id, platform, reward_number)
    values (p_app, new_id(), p_referral.referrer_id, p_referral.campaign_id, p_referral.platform, v_number)
    on conflict (app_id, referrer_id, campaign_id, platform, reward_number) do nothing
    returning id into v_reward;
    continue when not found;
    perform emit(p_app, 'reward.earned', jsonb_build_object(
      'reward_id', v_reward, 'referrer_id', p_referral.referrer_id, 'campaign_id', p_referral.campaign_id,
      'platform', p_referral.platform, 'reward_number', v_number));
  end loop;
  update referrer_progress set earned = v_due
   where app_id = p_app and referrer_id = p_referral.referrer_id and campaign_id = p_referral.campaign_id
     and platform = p_referral.platform;
end $$;

-- Counts a referral that is confirmed now, or uncounts a reversed one, and emits the event. p_referral is the row after the change.
create or replace function announce_referral(p_app uuid, p_referral referrals, p_kind text) returns void
language plpgsql as $$
begin
  perform count_referral(p_app, p_referral, case when p_kind = 'reverse' then -1 else 1 end);
  perform emit(p_app, case when p_kind = 'reverse' then 'referral.reversed' else 'referral.redeemed' end,
    jsonb_build_object(
      'referral_id', p_referral.id, 'referrer_id', p_referral.referrer_id, 'campaign_id', p_referral.campaign_id,
      'referee_uid', p_referral.referee_uid, 'platform', p_referral.platform)
    || case when p_referral.held and p_kind <> 'reverse' then jsonb_build_object(
         'counts_from', to_char(p_referral.counts_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) else '{}' end);
end $$;

-- Stores the changed state of a referral that the caller has locked. Written as an insert that conflicts, which finds the row without
-- a plan: the plan of an update by the key, made while the table was almost empty, may read the whole app.
create or replace function store_referral(p_app uuid, p_referral referrals) returns void language plpgsql as $$
begin
  insert into referrals
    (app_id, campaign_id, referee_uid, id, referrer_id, platform, status, confirmed_at, confirmed_by, confirmed_purchase,
     purchased_at, counts_from, held, reversed_at, reversed_by, turned_at)
  values (p_app, p_referral.campaign_id, p_referral.referee_uid, p_referral.id, p_referral.referrer_id, p_referral.platform,
          p_referral.status, p_referral.confirmed_at, p_referral.confirmed_by, p_referral.confirmed_purchase,
          p_referral.purchased_at, p_referral.counts_from, p_referral.held, p_referral.reversed_at,
          p_referral.reversed_by, p_referral.turned_at)
  on conflict (app_id, campaign_id, referee_uid) do update
     set status = excluded.status, confirmed_at = excluded.confirmed_at, confirmed_by = excluded.confirmed_by,
         confirmed_purchase = excluded.confirmed_purchase, purchased_at = excluded.purchased_at,
         counts_from = excluded.counts_from, held = excluded.held, reversed_at = excluded.reversed_at,
         reversed_by = excluded.reversed_by, turned_at = excluded.turned_at;
end $$;

-- Changes a referral that the caller has locked, and returns its row: `confirm`, `reverse` or `restore`. p_at is the time at the
-- store, p_event the provider's event and p_purchase its purchase, all null for a change by hand. A refund after a reversal by hand
-- becomes its reason. A confirmation is held for as long as its campaign says now.
create or replace function update_referral_state(
  p_app uuid, p_referral referrals, p_kind text, p_event uuid, p_at timestamptz, p_purchase text default null)
returns referrals language plpgsql as $$
declare
  v_days int;
  v_changed referrals := p_referral;
begin
  if p_kind = 'confirm' then
    select nullif(hold_days, 0) into v_days from campaigns where app_id = p_app and id = p_referral.campaign_id;
    v_changed.status := 'redeemed';
    v_changed.confirmed_at := now();
    v_changed.confirmed_by := p_event;
    v_changed.confirmed_purchase := p_purchase;
    v_changed.purchased_at := p_at;
    v_changed.counts_from := now() + make_interval(days => v_days);
    v_changed.held := v_days is not null;
    update codes set status = 'confirmed' where app_id = p_app and assignment_id = p_referral.id;
  else
    v_changed.reversed_at := case when p_kind = 'reverse' then coalesce(p_referral.reversed_at, now()) end;
    v_changed.reversed_by := case when p_kind = 'reverse' then p_event end;
    v_changed.turned_at := coalesce(p_at, p_referral.turned_at);
  end if;
  perform store_referral(p_app, v_changed);
  return v_changed;
end $$;

-- Stores the trial of an open referral, because a trial may outlast the stored events and its first payment must still confirm.
create or replace function store_trial(p_app uuid, p_referral referrals, p_event provider_events) returns void
language plpgsql as $$
begin
  p_referral.confirmed_purchase := p_event.purchase_id;
  p_referral.purchased_at := event_time(p_event);
  perform store_referral(p_app, p_referral);
end $$;

-- The time of the last trial of the event's purchase, before the event, that was held back for this referral because nothing was paid
-- or another purchase counted by then; null if there is none. Once the referral stores another trial, this one is only in the inbox.
create or replace function trial_time(p_app uuid, p_referral referrals, p_event provider_events) returns timestamptz
language plpgsql as $$
begin
  if p_referral.confirmed_purchase = p_event.purchase_id and p_referral.purchased_at <= event_time(p_event) then
    return p_referral.purchased_at;
  end if;
  return (
    select max(coalesce(t.occurred_at, t.created_at)) from (
      select * from provider_events n
       where n.app_id = p_app and n.purchase_id >= p_event.purchase_id and n.purchase_id <= p_event.purchase_id
         and n.verdict in ('not_paid', 'already_confirmed') and not (n.confirmation ->> 'paid')::boolean
       order by n.purchase_id limit 50) t
     where t.referral_id = p_referral.id and coalesce(t.occurred_at, t.created_at) <= event_time(p_event)
       and (t.verdict = 'not_paid' or not (t.confirmation ->> 'renewal')::boolean
            and coalesce(t.occurred_at, t.created_at) >= p_referral.created_at));
end $$;

-- Whether the event belongs to a trial of this open referral rather than to p_other: a paid renewal or conversion, any event of a
-- Stripe subscription, which has one trial, or an event older than the other's code. Another trial or payment since that code belongs
-- to p_other, because the App Store reuses the id of a purchase when its subscriber returns.
create or replace function pays_for_trial(p_app uuid, p_event provider_events, p_referral referrals, p_other referrals) returns boolean
language plpgsql as $$
begin
  return ((p_event.confirmation ->> 'paid')::boolean
        and ((p_event.confirmation ->> 'renewal')::boolean or p_event.confirmation ? 'conversion')
      or p_event.purchase_id like 'sub\_%' or event_time(p_event) < p_other.created_at)
    and trial_time(p_app, p_referral, p_event) > coalesce(trial_time(p_app, p_other, p_event), '-infinity')
    and not confirmed_another(p_app, p_referral, p_event.purchase_id);
end $$;

-- Changes a referral by hand, and announces it.
create or replace function settle_referral(p_app uuid, p_referral referrals, p_kind text, p_event uuid) returns void
language plpgsql as $$
begin
  perform announce_referral(p_app, update_referral_state(p_app, p_referral, p_kind, p_event, null), p_kind);
end $$;
