-- Sets a code aside for a referee in line for 48 hours from now, with its event.
create or replace function reserve_code(p_app uuid, p_campaign uuid, p_referee_uid text, p_code uuid) returns void
language plpgsql as $$
declare
  v_place record;
  v_until timestamptz := now() + interval '48 hours';
begin
  update referees_in_line set code_id = p_code, reserved_until = v_until
   where app_id = p_app and campaign_id = p_campaign and referee_uid = p_referee_uid
  returning referrer_id, platform into v_place;
  perform emit(p_app, 'referral.code_ready', jsonb_build_object(
    'referrer_id', v_place.referrer_id, 'campaign_id', p_campaign, 'referee_uid', p_referee_uid, 'platform', v_place.platform,
    'reserved_until', to_char(v_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
end $$;

-- Begins the 48 hours of a code that is set aside for an approved referee again, whose place the caller has locked: while they were held,
-- no redeem could fetch it. Not where a redeem would not assign it now, or would not until these hours end: its time ends as before.
create or replace function reserve_again(p_app uuid, p_campaign uuid, p_uid text) returns void language plpgsql as $$
declare
  v_code uuid;
begin
  select l.code_id into v_code
    from referees_in_line l
    join codes c on c.app_id = p_app and c.id = l.code_id and c.status = 'reserved' and c.platform = l.platform
    join batches b on b.app_id = p_app and b.id = c.batch_id and b.state in ('ready', 'drained')
    join campaigns k on k.app_id = p_app and k.id = l.campaign_id and k.status = 'active' and coalesce(k.starts_at <= now() and k.ends_at > now(), true)
    join referrers r on r.app_id = p_app and r.id = l.referrer_id and r.status = 'active'
   where l.app_id = p_app and l.campaign_id = p_campaign and l.referee_uid = p_uid and l.reserved_until > to_timestamp(0)
     and coalesce(b.expires_at > now() + make_interval(hours => k.safety_margin_hours) + interval '48 hours', true);
  if found and not had_reserved(p_app, v_code, p_uid || joined_ids(p_app, p_uid)) then
    perform reserve_code(p_app, p_campaign, p_uid, v_code);
  end if;
end $$;
