-- Moves the places for which a code is set aside from the paused referral campaigns to the one that has become active, because the
-- metacodes of their referees lead there now; the codes count in its budget. The time of the others ends: the next round frees such a
-- code, and its referee keeps the place. A code does not move where the campaign takes its codes from another pool, has not begun or
-- has no budget left, the code expires too soon for it, or its referee has a code or a decision of a member there. A place that
-- another process holds is skipped. The caller has locked the campaigns. Looks at up to 500 places, the first in line before the
-- others, and returns whether there may be more.
create or replace function move_reserved(p_app uuid, p_campaign uuid) returns boolean language plpgsql as $$
declare
  v_place record;
  v_moves boolean;
  v_moved boolean := false;
  v_seen int := 0;
begin
  -- An erasure holds this row to its end, and the places of its person in an order of its own.
  perform 1 from apps where id = p_app for share;
  for v_place in
    select l.campaign_id, l.referee_uid,
           l.state = 'waiting' and p.platform is not null and b.state in ('ready', 'drained') and coalesce(c.starts_at <= now(), true)
             and coalesce(b.expires_at > l.reserved_until + make_interval(hours => c.safety_margin_hours), true) as fits
      from campaigns a
      join referees_in_line l on l.app_id = p_app and l.campaign_id = a.id and l.code_id is not null and l.reserved_until > now()
      join codes k on k.app_id = p_app and k.id = l.code_id
      join batches b on b.app_id = p_app and b.id = k.batch_id
      join campaigns c on c.app_id = p_app and c.id = p_campaign
      left join campaign_platforms p on p.app_id = p_app and p.campaign_id = p_campaign and p.platform = l.platform
       and p.platform = k.platform and p.referee_pool_id = b.pool_id
     where a.app_id = p_app and a.type = 'referral' and a.status = 'paused'
     order by l.place limit 500 for update of l skip locked
  loop
    v_seen := v_seen + 1;
    v_moves := v_place.fits and has_budget(p_app, p_campaign, 'referee');
    if v_moves then
      -- A place there without a code ends, since the one with a code takes its key.
      delete from referees_in_line
       where app_id = p_app and campaign_id = p_campaign and referee_uid = any(array(
         select referee_uid from referees_in_line
          where app_id = p_app and campaign_id = p_campaign and referee_uid = v_place.referee_uid and code_id is null and beyond is null
            for update skip locked));
      perform 1 from referees_in_line where app_id = p_app and campaign_id = p_campaign and referee_uid = v_place.referee_uid
        union all
        select 1 from referrals where app_id = p_app and campaign_id = p_campaign and referee_uid = v_place.referee_uid;
      v_moves := not found;
    end if;
    if v_moves then
      update referees_in_line set campaign_id = p_campaign
       where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
      perform spend_budget(p_app, v_place.campaign_id, 'referee', -1);
      perform spend_budget(p_app, p_campaign, 'referee', 1);
      v_moved := true;
    else
      update referees_in_line set reserved_until = now()
       where app_id = p_app and campaign_id = v_place.campaign_id and referee_uid = v_place.referee_uid;
    end if;
  end loop;
  if v_moved then
    update campaign_platforms set has_line = true where app_id = p_app and campaign_id = p_campaign and not has_line;
  end if;
  return v_seen = 500;
end $$;
