-- Support exchanges a dead code of a referral or a reward, once. Returns {"verdict": ...}; "OK" with both codes.

-- Assigns a free code of the pool to the holder of p_old, chosen as take_code does: never of a named offer that the
-- holder has had, and never of the same custom code's batch, which repeats one text.
create or replace function take_substitute(p_app uuid, p_old codes, p_margin interval, p_assignment uuid)
returns jsonb language plpgsql as $$
declare
  v_held batches;
  v_batch batches;
  v_id uuid;
  v_code text;
  v_offer boolean := false;
begin
  select * into v_held from batches where app_id = p_app and id = p_old.batch_id;
  for v_batch in
    select * from batches
     where app_id = p_app and pool_id = v_held.pool_id and state = 'ready'
       and (expires_at is null or expires_at > now() + p_margin)
       and not (kind = 'custom' and id = v_held.id)
     order by expires_at nulls last, id
  loop
    if v_batch.offer is not null and exists (
      select 1 from offer_takers where app_id = p_app and platform = p_old.platform and offer = v_batch.offer
         and uid = p_old.redeemed_by_uid) then
      v_offer := true;
      continue;
    end if;
    v_id := lock_code(p_app, v_batch.id);
    if v_id is null then
      perform mark_drained(p_app, v_batch.pool_id, v_batch.id);
      continue;
    end if;
    continue when v_batch.offer is not null
      and not take_offer(p_app, p_old.platform, v_batch.offer, p_old.redeemed_by_uid);
    update codes set status = 'assigned', redeemed_by_uid = p_old.redeemed_by_uid, referrer_id = p_old.referrer_id,
           assignment_id = p_assignment, assigned_at = now()
     where app_id = p_app and id = v_id
    returning code into v_code;
    return jsonb_build_object('id', v_id, 'code', v_code);
  end loop;
  return jsonb_build_object('verdict', case when v_offer then 'SAME_OFFER' else 'NO_CODES_AVAILABLE' end);
end $$;

-- The row lock of the referral or reward serializes replacements, confirmations and reversals; the primary key of
-- code_replacements also allows only one. The caller rolls back on any verdict other than OK.
create or replace function replace_code(p_app uuid, p_assignment uuid, p_reason text) returns jsonb
language plpgsql as $$
declare
  v_holder record;
  v_old codes;
  v_new jsonb;
begin
  select campaign_id, status into v_holder from referrals where app_id = p_app and id = p_assignment for update;
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
  perform 1 from code_replacements where app_id = p_app and assignment_id = p_assignment;
  if found then
    return '{"verdict": "REPLACED"}';
  end if;
  update codes set status = 'void', assignment_id = null where app_id = p_app and id = v_old.id;
  v_new := take_substitute(p_app, v_old, (
    select make_interval(hours => safety_margin_hours) from campaigns where app_id = p_app and id = v_holder.campaign_id),
    p_assignment);
  if v_new ? 'verdict' then
    return v_new;
  end if;
  insert into code_replacements (app_id, assignment_id, old_code_id, new_code_id, reason)
  values (p_app, p_assignment, v_old.id, (v_new ->> 'id')::uuid, p_reason);
  perform count_replacement(p_app, (v_new ->> 'id')::uuid);
  return jsonb_build_object('verdict', 'OK', 'old', v_old.code, 'new', v_new ->> 'code');
end $$;

-- The code that replaced another one, as {"code", "kind"}; {} if none did.
create or replace function replacement_of(p_app uuid, p_assignment uuid) returns jsonb language plpgsql stable as $$
begin
  return coalesce((
    select jsonb_build_object('code', c.code, 'kind', b.kind)
      from code_replacements r
      join codes c on c.app_id = p_app and c.id = r.new_code_id
      join batches b on b.app_id = p_app and b.id = c.batch_id
     where r.app_id = p_app and r.assignment_id = p_assignment), '{}');
end $$;

-- A stored response with its replaced codes exchanged for the new ones, so that a retry never shows a dead code.
create or replace function with_replacements(p_app uuid, p_answer jsonb) returns jsonb language plpgsql stable as $$
declare
  v_list text;
begin
  if p_answer ? 'referral_id' then
    return p_answer || replacement_of(p_app, (p_answer ->> 'referral_id')::uuid);
  end if;
  if p_answer -> 'redemption' ? 'referral_id' then
    return jsonb_set(p_answer, '{redemption}', p_answer -> 'redemption'
      || replacement_of(p_app, (p_answer #>> '{redemption,referral_id}')::uuid));
  end if;
  foreach v_list in array array['claimed', 'recent_claims'] loop
    continue when coalesce(jsonb_typeof(p_answer -> v_list), '') <> 'array';
    p_answer := jsonb_set(p_answer, array[v_list], coalesce((
      select jsonb_agg(w || replacement_of(p_app, (w ->> 'reward_id')::uuid) order by n)
        from jsonb_array_elements(p_answer -> v_list) with ordinality as t (w, n)), '[]'));
  end loop;
  return p_answer;
end $$;
