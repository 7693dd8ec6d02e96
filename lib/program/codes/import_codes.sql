-- Adds one chunk of codes to a batch that is still importing; a null in p_uses means use 0. Returns {"alive", "inserted",
-- "clashes"}: alive is false if the batch was abandoned meanwhile. A clash is a row that already exists: in this batch
-- ("file"), in a settled one ("database"), or in one whose import is still running or being undone ("unsettled").
create or replace function import_codes(
  p_app uuid, p_batch uuid, p_platform text, p_ids uuid[], p_codes text[], p_uses int[])
returns jsonb language plpgsql as $$
declare
  v_inserted int;
  v_clashes jsonb := '[]';
begin
  -- The key-share lock lets chunks run side by side and makes the sweep that abandons the batch wait for them.
  perform 1 from batches where app_id = p_app and id = p_batch and state = 'importing' for key share;
  if not found then
    return '{"alive": false, "inserted": 0, "clashes": []}';
  end if;
  -- A cluster's row count of an INSERT ... SELECT includes the rows that conflict.
  with stored as (
    insert into codes (app_id, id, batch_id, platform, code, use_number, slot)
    select p_app, id, p_batch, p_platform, code, coalesce(use_number, 0), floor(random() * 2147483647)::int
      from unnest(p_ids, p_codes, p_uses) as row (id, code, use_number)
     -- In one order, so that two imports with the same codes wait for each other instead of deadlocking.
     order by code collate "C", use_number
    on conflict (app_id, platform, code, use_number) do nothing
    returning 1
  )
  select count(*) into v_inserted from stored;
  if v_inserted < cardinality(p_ids) then
    select coalesce(jsonb_agg(jsonb_build_object('id', row.id, 'holder', case
             when c.batch_id = p_batch then 'file'
             when c.id is null or b.state = 'importing' or (b.state = 'undone' and c.status = 'available')
               then 'unsettled'
             else 'database' end)), '[]')
      into v_clashes
      from unnest(p_ids, p_codes, p_uses) as row (id, code, use_number)
      -- Laterally, so that each code is looked up by its index. A join of two sets compared each with all codes of an app
      -- whose rows the planner did not know yet: 25 million pairs for a chunk.
      left join lateral (
        select id, batch_id, status from codes
         where app_id = p_app and platform = p_platform and code = row.code
           and use_number = coalesce(row.use_number, 0)
         limit 1) c on true
      left join lateral (select state from batches where app_id = p_app and id = c.batch_id limit 1) b on true
     where c.id is distinct from row.id;
  end if;
  return jsonb_build_object('alive', true, 'inserted', v_inserted, 'clashes', v_clashes);
end $$;
