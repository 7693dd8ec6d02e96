-- Section 4.3 of the specification, step by step. Returns {"verdict": ...} with an error code of section 7 or "OK".

-- The id of a new referral: the id of its click if that is stored, unused and of this referrer, else p_referral_id. The service
-- must have generated it, because codes store the ids of referrals and of rewards in one column. The lock makes a parallel redeem
-- of the same click wait until the click is gone.
create or replace function event_id(
  p_app uuid, p_click_id uuid, p_referrer uuid, p_referral_id uuid, out id uuid, out clicked_at timestamptz)
language plpgsql as $$
begin
  select c.id, c.created_at into id, clicked_at
    from clicks c where c.app_id = p_app and c.id = p_click_id and c.referrer_id = p_referrer for update;
  id := coalesce(id, p_referral_id);
end $$;

-- Steps 2 to 7: finds the metacode's referrer and campaign and stores the referral. Returns a response, or the verdict PLACED with
-- the values that the response and assign_code need; in a group also ALONE, for a redeem that must leave it. p_beyond: the cap that
-- the address exceeds.
create or replace function place_referee(
  p_app uuid, p_slug text, p_platform text, p_referee_uid text, p_referral_id uuid, p_click_id uuid, p_pseudonym text,
  p_alone boolean, p_beyond text default null)
returns jsonb language plpgsql as $$
declare
  v_referrer record;
  v_campaign record;
  v_id uuid := p_referral_id;
  v_clicked_at timestamptz;
  v_answer jsonb;
  v_slug text;
  v_cap text;
  v_beyond text := p_beyond;
  v_refusal jsonb;
  v_empty boolean;
begin
  -- 2. The referrer of that metacode, in this app only. A referrer's former metacode leads to the same referrer.
  select r.id, r.uid, r.slug, r.status, r.metadata, r.campaign_id, a.name as app_name, a.apple_app_id, a.android_package,
         a.retry_window_hours, a.referrer_daily_cap, a.has_erased, a.reviews_beyond_caps
    into v_referrer
    from referrers r join apps a on a.id = p_app
   where r.app_id = p_app and r.slug = p_slug;
  if not found then
    select r.slug into v_slug
      from slug_directory d join referrers r on r.app_id = p_app and r.id = d.referrer_id
     where d.slug = p_slug and d.app_id = p_app;
    return case when v_slug is null then '{"verdict": "METACODE_NOT_FOUND"}' else place_referee(
      p_app, v_slug, p_platform, p_referee_uid, p_referral_id, p_click_id, p_pseudonym, p_alone, p_beyond) end;
  end if;
  v_answer := jsonb_build_object(
    'platform', p_platform, 'metacode', v_referrer.slug, 'app_name', v_referrer.app_name,
    'apple_app_id', v_referrer.apple_app_id, 'android_package', v_referrer.android_package,
    'name', v_referrer.metadata -> 'name', 'display_name', v_referrer.metadata -> 'display_name');
  if v_referrer.status <> 'active' then
    return refuse_closed('METACODE_NOT_FOUND', p_app, p_referee_uid, v_referrer.id, p_platform,
      v_referrer.retry_window_hours, v_answer);
  end if;

  -- 3. The referrer's own campaign, or the app's active referral campaign.
  select c.id, make_interval(hours => c.safety_margin_hours) as margin, p.referee_pool_id, p.instructions,
         coalesce(p.has_line, false) as has_line, c.refuse_reciprocal, c.code_budget is not null as has_budget,
         coalesce(c.spent_codes >= c.code_budget and c.recount_at is null, false) as spent,
         coalesce(c.spent_codes >= c.code_budget and c.recount_at <= now(), false) as recount
    into v_campaign
    from campaigns c
    left join campaign_platforms p on p.app_id = p_app and p.campaign_id = c.id and p.platform = p_platform
   where c.app_id = p_app and c.status = 'active'
     and (c.starts_at is null or c.starts_at <= now()) and (c.ends_at is null or c.ends_at > now())
     and case when v_referrer.campaign_id is null then c.type = 'referral' else c.id = v_referrer.campaign_id end;
  if not found then
    return refuse_closed('CAMPAIGN_INACTIVE', p_app, p_referee_uid, v_referrer.id, p_platform,
      v_referrer.retry_window_hours, v_answer);
  end if;
  v_answer := v_answer || jsonb_build_object('instructions', v_campaign.instructions);

  -- 4. Fraud: self-referral, reciprocal referrals, and the cap of a referrer. Influencers, whom the owner creates, have no cap.
  <<fraud>>
  begin
    -- Where redeems are not held, an address over its cap is refused before it takes a lock that others wait for.
    if p_beyond is not null and not v_referrer.reviews_beyond_caps then
      v_refusal := review(p_app, v_campaign.id, p_platform, p_referee_uid, v_referrer.id, p_beyond, false, p_pseudonym);
      exit fraud when v_refusal is not null;
    end if;
    if v_referrer.uid = p_referee_uid then
      return '{"verdict": "CONFLICT", "reason": "self_referral"}';
    end if;
    if v_campaign.refuse_reciprocal then
      v_refusal := refers_back(
        p_app, v_referrer.id, v_referrer.uid, v_campaign.id, p_referee_uid, p_pseudonym, p_alone);
      exit fraud when v_refusal is not null;
    end if;
    if v_referrer.referrer_daily_cap is not null and v_referrer.campaign_id is null then
      v_cap := daily_cap(p_app, v_referrer.id, v_campaign.id, p_referee_uid, v_referrer.referrer_daily_cap, p_alone,
        v_campaign.refuse_reciprocal);
      if v_cap = 'alone' then
        return '{"verdict": "ALONE"}';
      end if;
      v_beyond := case when v_cap = 'over' then 'referrer_daily_cap' else v_beyond end;
    end if;
    -- A redeem that would be held is refused for the spent budget instead, unless a code is set aside for the person.
    if v_beyond is not null and v_referrer.reviews_beyond_caps and v_campaign.recount then
      v_campaign.spent := not has_budget(p_app, v_campaign.id, 'referee');
    end if;
    if v_referrer.reviews_beyond_caps and v_campaign.spent and reserved_uid(p_app, v_campaign.id, p_referee_uid, true) is null then
      exit fraud;
    end if;
    if v_beyond is not null or v_referrer.reviews_beyond_caps then
      v_refusal := review(p_app, v_campaign.id, p_platform, p_referee_uid, v_referrer.id, v_beyond,
        v_referrer.reviews_beyond_caps and v_campaign.referee_pool_id is not null, p_pseudonym);
    end if;
  end;
  if v_refusal is not null then
    return case when v_refusal ->> 'verdict' = 'ALONE' then v_refusal else with_earlier(
      v_refusal, p_app, p_referee_uid, v_referrer.id, p_platform, v_referrer.retry_window_hours, v_answer) end;
  end if;

  -- 5. One code per referee and campaign.
  if v_referrer.has_erased and erased_before(p_app, v_campaign.id, p_platform, p_referee_uid, p_pseudonym) then
    return '{"verdict": "ALREADY_REDEEMED"}';
  end if;

  -- 6. Detects an empty pool or a spent budget before anything is written; step 5 still comes first. If there are codes, the insert
  -- below decides step 5: it uses the primary key, whereas a query may get a bad plan on a young table.
  v_empty := v_campaign.spent or not exists (
    select 1 from batches where app_id = p_app and pool_id = v_campaign.referee_pool_id and state = 'ready'
       and (expires_at is null or expires_at > now() + v_campaign.margin));
  v_empty := v_empty and not (
    v_campaign.has_line and reserved_uid(p_app, v_campaign.id, p_referee_uid, true) is not null);
  if v_empty then
    perform 1 from referrals where app_id = p_app and campaign_id = v_campaign.id and referee_uid = p_referee_uid;
    if found then
      return already_redeemed(p_app, v_campaign.id, p_referee_uid, v_referrer.id, p_platform,
        v_referrer.retry_window_hours, v_answer);
    elsif v_campaign.spent then
      return budget_spent(p_app, p_referee_uid, v_referrer.id, p_platform, v_answer);
    -- A group locks budgets later, and places in line after them. The order of a group does not cover joined ids.
    elsif not p_alone and (v_campaign.has_budget or linked_uids(p_app, array[p_referee_uid]) <> '[]') then
      return '{"verdict": "ALONE"}';
    -- No code is counted here, so nothing else would make the recount that is due.
    elsif v_campaign.recount and not has_budget(p_app, v_campaign.id, 'referee') then
      return budget_spent(p_app, p_referee_uid, v_referrer.id, p_platform, v_answer);
    end if;
    return no_codes(
      p_app, v_campaign.referee_pool_id, v_campaign.id, p_platform, p_referee_uid, v_referrer.id, p_pseudonym, v_answer);
  end if;

  -- 7. The referral first, then the code: the insert waits for a rival of the same referee. Otherwise the rival
  -- would hold a second code, and another referee would be refused for lack of codes.
  if p_click_id is not null then
    select * into v_id, v_clicked_at from event_id(p_app, p_click_id, v_referrer.id, p_referral_id);
  end if;
  loop
    insert into referrals (app_id, campaign_id, referee_uid, id, referrer_id, platform, clicked_at)
    values (p_app, v_campaign.id, p_referee_uid, v_id, v_referrer.id, p_platform, v_clicked_at)
    on conflict do nothing;
    exit when found;
    -- Either the referee has redeemed, or another referee has continued the same click, which was stored again.
    perform 1 from referrals where app_id = p_app and campaign_id = v_campaign.id and referee_uid = p_referee_uid;
    if found or v_id = p_referral_id then
      return already_redeemed(p_app, v_campaign.id, p_referee_uid, v_referrer.id, p_platform,
        v_referrer.retry_window_hours, v_answer);
    end if;
    v_id := p_referral_id;
    v_clicked_at := null;
  end loop;
  -- An erasure that ended while the insert waited has moved the referral to the pseudonym.
  if v_referrer.has_erased then
    perform 1 from referrals where app_id = p_app and campaign_id = v_campaign.id and referee_uid = p_pseudonym;
    if found then
      delete from referrals where app_id = p_app and campaign_id = v_campaign.id and referee_uid = p_referee_uid;
      return '{"verdict": "ALREADY_REDEEMED"}';
    end if;
  end if;
  return v_answer || jsonb_build_object(
    'verdict', 'PLACED', 'referral_id', v_id, 'referrer_id', v_referrer.id, 'campaign_id', v_campaign.id,
    'pool_id', v_campaign.referee_pool_id, 'margin', v_campaign.margin, 'line', v_campaign.has_line,
    'clicked', v_clicked_at is not null, 'budget', v_campaign.has_budget);
end $$;

-- One round trip: quota, the stored response of an Idempotency-Key, the redeem, and storing its response. A response that invites a
-- retry (503) is not stored. p_texts: the language of the response and the owner's texts in it, stored for replays. The setting
-- also forces generic plans in all functions called from here (docs/decisions/speed.md).
create or replace function redeem_metacode(
  p_app uuid, p_slug text, p_platform text, p_referee_uid text, p_referral_id uuid, p_click_id uuid, p_pseudonym text,
  p_key text, p_hash bytea, p_workspace uuid, p_quota_limit bigint, p_quota_units int, p_texts text default null,
  p_beyond text default null)
returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_quota jsonb;
  v_result jsonb;
begin
  -- Most requests are paid from units that were leased ahead, without a call.
  if p_quota_units > 0 then
    v_quota := take_quota(p_app, p_workspace, p_quota_limit, p_quota_units);
    if v_quota ->> 'granted' = '0' then
      return jsonb_build_object('verdict', 'RATE_LIMITED', 'quota', v_quota);
    end if;
  end if;
  if p_key is not null then
    v_result := with_replacements(p_app, stored_answer(p_app, 'redeem', p_key, p_hash));
  end if;
  if v_result is null then
    v_result := place_referee(p_app, p_slug, p_platform, p_referee_uid, p_referral_id, p_click_id, p_pseudonym, true, p_beyond);
    if v_result ->> 'verdict' = 'PLACED' then
      v_result := assign_code(p_app, p_referee_uid, v_result, true, p_pseudonym);
    end if;
    if p_texts is not null then
      v_result := v_result || jsonb_build_object('texts', p_texts::jsonb);
    end if;
    if p_key is not null then
      perform store_redeem(p_app, p_key, p_hash, v_result);
    end if;
  end if;
  return v_result || jsonb_build_object('quota', v_quota);
end $$;
