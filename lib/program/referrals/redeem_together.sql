-- Runs several redeems of one app in one transaction, each like redeem_metacode; their quota is already paid. Returns the results
-- in the order of the requests, which arrive sorted by referee.

-- Stores all referrals before it takes codes, so that while it waits for a rival of one referee it holds no code that the rival may
-- wait for. Locks budgets in between, because a transaction that holds a code must not wait for them. Never waits for locked codes
-- or a referrer's cap: a request that would wait gets null as its result and runs alone.
create or replace function redeem_together(
  p_app uuid, p_slugs text[], p_platforms text[], p_referee_uids text[], p_referral_ids uuid[], p_click_ids uuid[],
  p_pseudonyms text[], p_keys text[], p_hashes bytea[], p_texts text[] default '{}')
returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_stored jsonb[];
  v_results jsonb[];
  v_result jsonb;
  v_spending record;
  v_place int;
  v_budget boolean := false;
  v_placed boolean;
begin
  for n in 1 .. cardinality(p_slugs) loop
    if p_keys[n] is not null then
      v_stored[n] := with_replacements(p_app, stored_answer(p_app, 'redeem', p_keys[n], p_hashes[n]));
    end if;
    v_results[n] := coalesce(v_stored[n], place_referee(
      p_app, p_slugs[n], p_platforms[n], p_referee_uids[n], p_referral_ids[n], p_click_ids[n],
      p_pseudonyms[n], false));
    v_budget := v_budget or coalesce((v_results[n] ->> 'budget')::boolean, false);
  end loop;
  if v_budget then
    perform lock_budgets(p_app);
    for v_spending in
      select r ->> 'campaign_id' as campaign_id, array_agg(n) as places
        from unnest(v_results) with ordinality x(r, n)
       where v_stored[n] is null and (r ->> 'budget')::boolean group by 1
    loop
      if spend_codes(p_app, v_spending.campaign_id::uuid, cardinality(v_spending.places)) then
        foreach v_place in array v_spending.places loop
          v_results[v_place] := v_results[v_place] || '{"counted": true}';
        end loop;
      end if;
    end loop;
  end if;
  for n in 1 .. cardinality(p_slugs) loop
    continue when v_stored[n] is not null;
    v_result := v_results[n];
    if v_result ->> 'verdict' = 'ALONE' then
      v_results[n] := null;
      continue;
    end if;
    v_placed := v_result ->> 'verdict' = 'PLACED';
    if v_placed then
      v_result := assign_code(p_app, p_referee_uids[n], v_result, false, p_pseudonyms[n]);
    end if;
    if p_texts[n] is not null then
      v_result := v_result || jsonb_build_object('texts', p_texts[n]::jsonb);
    end if;
    v_results[n] := case when not v_placed or v_result ->> 'verdict' <> 'NO_CODES_AVAILABLE' then v_result end;
    if p_keys[n] is not null then
      perform store_redeem(p_app, p_keys[n], p_hashes[n], v_result);
    end if;
  end loop;
  return to_jsonb(v_results);
end $$;
