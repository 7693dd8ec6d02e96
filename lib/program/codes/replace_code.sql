-- Support exchanges a dead code of a referral or a reward, once. Returns {"verdict": ...}; "OK" with both codes.

-- The row lock of the referral or reward serializes replacements, confirmations and reversals; the primary key of
-- code_replacements also allows only one. The caller rolls back on any verdict other than OK.
create or replace function replace_code(p_app uuid, p_assignment uuid, p_reason text) returns jsonb
language plpgsql as $$
declare
  v_holder record;
  v_margin interval;
  v_old codes;
  v_batch batches;
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
  select * into v_batch from batches where app_id = p_app and id = v_old.batch_id;
  -- The dead code was never redeemed, so at the store its offer is still open to this person.
  delete from offer_takers
   where app_id = p_app and platform = v_old.platform and offer = v_batch.offer and uid = v_old.redeemed_by_uid;
  select make_interval(hours => safety_margin_hours) into v_margin
    from campaigns where app_id = p_app and id = v_holder.campaign_id;
  -- Where a batch is the trouble, its next code would fail too, and the batch of a custom code repeats one text.
  v_new := take_code(p_app, v_batch.pool_id, v_old.platform, v_old.redeemed_by_uid, v_margin, p_assignment,
    v_old.referrer_id, false, v_batch.id);
  if v_new is null and v_batch.kind <> 'custom' then
    v_new := take_code(p_app, v_batch.pool_id, v_old.platform, v_old.redeemed_by_uid, v_margin, p_assignment,
      v_old.referrer_id, false, null);
  end if;
  if v_new is null then
    return jsonb_build_object('verdict', case
      when wait_reason(p_app, v_batch.pool_id, v_old.platform, v_old.redeemed_by_uid, v_margin) = 'same_offer'
      then 'SAME_OFFER' else 'NO_CODES_AVAILABLE' end);
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
-- Most requests are no retry: null is returned without a call.
create or replace function with_replacements(p_app uuid, p_answer jsonb) returns jsonb language plpgsql stable strict as $$
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
