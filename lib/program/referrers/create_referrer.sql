-- Creates the referrer of a user under a metacode that is already reserved, or finds the one that a parallel call created;
-- the loser's metacode stays reserved and is swept later. The read after the insert is a separate statement with a fresh
-- snapshot, so it sees the winner. An erased user who has returned has still had the same offers.
create or replace function create_referrer(
  p_app uuid, p_id uuid, p_uid text, p_slug text, p_metadata jsonb, p_campaign uuid,
  p_pseudonym text default null)
returns jsonb language plpgsql as $$
begin
  insert into referrers (app_id, id, uid, slug, metadata, campaign_id)
  values (p_app, p_id, p_uid, p_slug, p_metadata, p_campaign)
  on conflict (app_id, uid) do nothing;
  if found then
    perform emit(p_app, 'referrer.created', jsonb_build_object(
      'referrer_id', p_id, 'uid', p_uid, 'metacode', p_slug));
    if (select has_erased from apps where id = p_app) then
      perform recall_offers(p_app, array['ios', 'android'], p_uid, p_pseudonym);
    end if;
  end if;
  return get_referrer(p_app, p_uid, null, 0, 0);
end $$;
