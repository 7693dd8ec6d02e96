-- Replaces a dead code of a referral or a reward for support, as often as codes turn out to be dead. Returns {"verdict": ...};
-- "OK" with both codes.

-- p_code is the code that the caller saw: the second of two clicks, or of two members, names a code that is gone and replaces
-- nothing. The former version passes none and replaces once. The caller rolls back on any verdict other than OK.
create or replace function replace_code(p_app uuid, p_assignment uuid, p_reason text, p_code uuid default null)
returns jsonb language plpgsql as $$
declare
  v_holder record;
  v_margin interval;
  v_old codes;
  v_batch batches;
  v_tried uuid[];
  v_referral boolean;
  v_pools uuid[];
  v_pool uuid;
  v_new jsonb;
begin
  -- The row lock serializes replacements, confirmations and reversals. The primary key of code_replacements also allows a code
  -- to be replaced only once.
  select campaign_id, status into v_holder from referrals where app_id = p_app and id = p_assignment for update;
  v_referral := found;
  if not found then
    select campaign_id, status into v_holder from rewards where app_id = p_app and id = p_assignment for update;
  end if;
  select * into v_old from codes where app_id = p_app and assignment_id = p_assignment;
  if not found then
    return '{"verdict": "NOT_FOUND"}';
  end if;
  if v_holder.status = 'redeemed' then
    return '{"verdict": "CONFIRMED"}';
  end if;
  v_tried := array(
    select c.batch_id from code_replacements r join codes c on c.app_id = p_app and c.id = r.old_code_id
     where r.app_id = p_app and r.assignment_id = p_assignment);
  if v_old.id <> p_code or p_code is null and v_tried <> '{}' then
    return '{"verdict": "REPLACED"}';
  end if;
  update codes set status = 'void', assignment_id = null where app_id = p_app and id = v_old.id;
  select * into v_batch from batches where app_id = p_app and id = v_old.batch_id;
  v_tried := v_tried || v_batch.id;
  perform return_offer(p_app, v_old);
  select make_interval(hours => safety_margin_hours) into v_margin
    from campaigns where app_id = p_app and id = v_holder.campaign_id;
  -- The campaign may have changed its pool since.
  v_pools := array_remove(array[v_batch.pool_id, (
    select nullif(case when v_referral then referee_pool_id else reward_pool_id end, v_batch.pool_id) from campaign_platforms
     where app_id = p_app and campaign_id = v_holder.campaign_id and platform = v_old.platform)], null);
  -- If the batch is at fault its next code would fail too, so the batches that were tried come last, and a custom code, which
  -- repeats one text, is not tried again.
  for v_round in 1 .. 2 loop
    foreach v_pool in array v_pools loop
      v_new := coalesce(v_new, take_code(p_app, v_pool, v_old.platform, v_old.redeemed_by_uid, v_margin, p_assignment,
        v_old.referrer_id, false, v_tried));
    end loop;
    v_tried := array(select id from batches where app_id = p_app and id = any(v_tried) and kind = 'custom');
  end loop;
  if v_new is null then
    return jsonb_build_object('verdict', case
      when 'same_offer' = any(array(
        select wait_reason(p_app, pool, v_old.platform, v_old.redeemed_by_uid, v_margin) from unnest(v_pools) pool))
      then 'SAME_OFFER' else 'NO_CODES_AVAILABLE' end);
  end if;
  insert into code_replacements (app_id, assignment_id, old_code_id, new_code_id, reason)
  values (p_app, p_assignment, v_old.id, (v_new ->> 'id')::uuid, p_reason);
  perform count_replacement(p_app, (v_new ->> 'id')::uuid);
  return jsonb_build_object('verdict', 'OK', 'old', v_old.code, 'new', v_new ->> 'code');
end $$;

-- The code that a referral or a reward has now, as {"code", "kind"}; {} if it has none.
create or replace function assigned_code(p_app uuid, p_assignment uuid) returns jsonb language plpgsql stable as $$
begin
  return coalesce((
    select jsonb_build_object('code', c.code, 'kind', b.kind)
      from codes c join batches b on b.app_id = p_app and b.id = c.batch_id
     where c.app_id = p_app and c.assignment_id = p_assignment), '{}');
end $$;

-- A stored response with replaced codes exchanged for the new ones, so that a retry never shows a dead code. Strict: most
-- requests are not retries, and null is returned without a call.
create or replace function with_replacements(p_app uuid, p_answer jsonb) returns jsonb language plpgsql stable strict as $$
declare
  v_list text;
begin
  if p_answer ? 'referral_id' then
    return p_answer || assigned_code(p_app, (p_answer ->> 'referral_id')::uuid);
  end if;
  if p_answer -> 'redemption' ? 'referral_id' then
    return jsonb_set(p_answer, '{redemption}', p_answer -> 'redemption'
      || assigned_code(p_app, (p_answer #>> '{redemption,referral_id}')::uuid));
  end if;
  foreach v_list in array array['claimed', 'recent_claims'] loop
    continue when coalesce(jsonb_typeof(p_answer -> v_list), '') <> 'array';
    p_answer := jsonb_set(p_answer, array[v_list], coalesce((
      select jsonb_agg(w || assigned_code(p_app, (w ->> 'reward_id')::uuid) order by n)
        from jsonb_array_elements(p_answer -> v_list) with ordinality as t (w, n)), '[]'));
  end loop;
  return p_answer;
end $$;
