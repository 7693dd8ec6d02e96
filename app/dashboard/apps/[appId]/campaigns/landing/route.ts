import { framedLandingPolicy } from "@/components/landing/policy";
import { renderInvitation } from "@/components/landing/render";
import type { PreviewScheme } from "@/lib/contract/landing";
import { chooseLanguage } from "@/lib/web/http/choose-language";
import { htmlResponse } from "@/lib/web/http/responses";
import { sampleView } from "@/lib/web/landing/preview";
import { appDownload } from "@/lib/web/session/download";

/**
 * The landing page with a sample invitation, for the previews in the dashboard. `device`, `lang` and `scheme` describe the
 * visitor; `accent` and `stores` are a colour and a campaign's stores that are not saved yet.
 */
export const GET = appDownload("viewer", async (ctx, query) => {
  const scheme = schemeOf(query.get("scheme"));
  const view = await sampleView(ctx, {
    device: deviceOf(query.get("device")),
    language: chooseLanguage(query.get("lang"), null),
    accent: query.get("accent"),
    scheme,
    stores: query.get("stores")?.split(","),
  });
  return htmlResponse(200, renderInvitation(view), framedLandingPolicy(view.accent, scheme));
});

function deviceOf(text: string | null) {
  return text === "android" || text === "desktop" ? text : "ios";
}

function schemeOf(text: string | null): PreviewScheme {
  return text === "light" || text === "dark" ? text : "system";
}
