-- Links two ids that a member found to belong to one person, and applies the events that waited for the link. Returns whether it is
-- new: ids that are already connected by links, in any direction, get no other. The link has no direction, so the ids are stored in
-- one order, and the primary key decides between two parallel calls.
create or replace function join_uids(p_app uuid, p_from text, p_to text) returns boolean language plpgsql as $$
begin
  if linked_uids(p_app, array[p_from]) @> jsonb_build_array(jsonb_build_object('uid', p_to)) then
    return false;
  end if;
  insert into identity_links (app_id, from_uid, to_uid, type, event_id)
  values (p_app, least(p_from, p_to), greatest(p_from, p_to), 'joined by hand', new_id())
  on conflict do nothing;
  if not found then
    return false;
  end if;
  -- A decision about a redeem over a cap holds for both ids.
  update referees_in_line l set state = case d.state when 'approved' then 'waiting' else d.state end, beyond = d.beyond
    from (
      select distinct on (campaign_id) campaign_id, state, beyond from referees_in_line
       where app_id = p_app and referee_uid = any(array[p_from, p_to]) and beyond is not null
       order by campaign_id, array_position(array['dismissed', 'waiting', 'approved', 'review'], state)) d
   where l.app_id = p_app and l.campaign_id = d.campaign_id and l.referee_uid = any(array[p_from, p_to]);
  -- A person has one place in line per platform, because the other platform may never have codes: the earlier place whose referrer is
  -- active stays. A place with a code set aside counts for both platforms; of two of these the earlier stays. set_aside sees a place
  -- that a redeem is storing now.
  delete from referees_in_line l
   where l.app_id = p_app and l.referee_uid = any(array[p_from, p_to]) and l.code_id is null and exists (
     select 1 from referees_in_line o
      where o.app_id = p_app and o.campaign_id = l.campaign_id and o.referee_uid = any(array[p_from, p_to])
        and o.referee_uid <> l.referee_uid and (o.reserved_until > now() or o.code_id is null and o.place < l.place
          and o.platform = l.platform and o.created_at > now() - interval '30 days' and exists (
            select 1 from referrers r where r.app_id = p_app and r.id = o.referrer_id and r.status = 'active')));
  update referees_in_line l set reserved_until = to_timestamp(0)
   where l.app_id = p_app and l.referee_uid = any(array[p_from, p_to]) and l.reserved_until > now() and exists (
     select 1 from referees_in_line o
      where o.app_id = p_app and o.campaign_id = l.campaign_id and o.referee_uid = any(array[p_from, p_to])
        and o.place < l.place and o.reserved_until > now());
  perform apply_waiting(p_app, array[p_from, p_to], null, array['confirm', 'reverse', 'restore']);
  return true;
end $$;

-- Deletes a locked place without a code if the person has another place that comes first, or got a code under a joined id while in
-- line; returns whether it did. Not called while the pool has no codes: a long line of joined ids would take too long.
create or replace function end_double_place(p_app uuid, p_campaign uuid, p_referee_uid text, p_place uuid) returns boolean
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_ids text[] := joined_ids(p_app, p_referee_uid);
  v_platform text := (
    select platform from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid);
begin
  perform 1
    from referees_in_line l
    join referrals f on f.app_id = p_app and f.campaign_id = p_campaign and f.referee_uid = any(v_ids) and f.created_at > l.created_at
   where l.app_id = p_app and l.campaign_id = p_campaign and l.referee_uid = p_referee_uid;
  if not found and not has_other_place(p_app, p_campaign, v_ids, p_place, null, v_platform) then
    return false;
  end if;
  delete from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid;
  return true;
end $$;
