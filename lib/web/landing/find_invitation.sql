-- The data of a metacode's landing page, or null. slug_directory gives the app and the referrer, also of a former
-- metacode; all other rows are read by the app's id.
create or replace function find_invitation(p_slug text) returns jsonb language plpgsql stable as $$
declare
  v_app uuid;
  v_referrer uuid;
  v_row record;
  v_campaign campaigns;
begin
  select app_id, referrer_id into v_app, v_referrer from slug_directory where slug = p_slug;
  if not found then
    return null;
  end if;
  select r.id, r.slug, r.status, r.campaign_id, r.metadata, a.name, a.apple_app_id, a.android_package, a.icon_hash, a.accent_color,
         case when a.landing_domain_verified_at is not null then a.landing_domain end as domain,
         exists (select 1 from landing_texts t where t.app_id = v_app) as own_texts into v_row
    from referrers r join apps a on a.id = v_app and a.deleted_at is null
   where r.app_id = v_app and r.id = v_referrer;
  if not found then
    return null;
  end if;
  v_campaign := campaign_of(v_app, v_row.campaign_id);
  return jsonb_build_object(
    'app_id', v_app, 'referrer_id', v_row.id, 'metacode', v_row.slug, 'referrer_status', v_row.status,
    'campaign_status', case
      when v_campaign.ends_at <= now() or v_campaign.status = 'ended' then
        -- Paused for a referrer without a fixed campaign: the app's next campaign opens the page again.
        case when v_row.campaign_id is null then 'paused' else 'ended' end
      when v_campaign.starts_at > now() then 'paused'
      -- Paused, not ended: the page says that no codes are available now, and the owner may raise the budget.
      when v_campaign.status = 'active' and v_campaign.spent_codes >= v_campaign.code_budget then 'paused'
      else v_campaign.status end,
    'name', v_row.metadata -> 'name', 'display_name', v_row.metadata -> 'display_name',
    'app_name', v_row.name, 'apple_app_id', v_row.apple_app_id, 'android_package', v_row.android_package,
    'icon_hash', v_row.icon_hash, 'accent_color', v_row.accent_color, 'domain', v_row.domain,
    'own_texts', v_row.own_texts, 'ends_at', v_campaign.ends_at, 'platforms', (
      select jsonb_agg(platform) from campaign_platforms where app_id = v_app and campaign_id = v_campaign.id));
end $$;
