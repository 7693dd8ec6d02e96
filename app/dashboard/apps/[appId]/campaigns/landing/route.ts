import { framedLandingPolicy } from "@/components/landing/policy";
import { renderInvitation } from "@/components/landing/render";
import { chooseLanguage } from "@/lib/web/http/choose-language";
import { htmlResponse } from "@/lib/web/http/responses";
import { sampleView } from "@/lib/web/landing/preview";
import { appDownload } from "@/lib/web/session/download";

/** The landing page with a sample invitation, for the previews in the dashboard. */
export const GET = appDownload("viewer", async (ctx, query) => {
  const view = await sampleView(ctx, {
    platform: query.get("platform") === "android" ? "android" : "ios",
    language: await chooseLanguage(query.get("lang"), null),
  });
  return htmlResponse(200, renderInvitation(view), framedLandingPolicy(view.accent));
});
