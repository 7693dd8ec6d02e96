import { framedPolicyOf } from "@/components/landing/policy";
import { renderInvitation } from "@/components/landing/render";
import { htmlResponse } from "@/lib/http/html";
import { chooseLanguage } from "@/lib/landing/choose-language";
import { sampleView } from "@/lib/landing/sample-view";
import { appDownload } from "@/lib/session/download";

/** The landing page as the app's invited people see it, for the previews in the dashboard. */
export const GET = appDownload("viewer", async (ctx, query) => {
  const view = await sampleView(ctx, {
    platform: query.get("platform") === "android" ? "android" : "ios",
    language: await chooseLanguage(query.get("lang"), null),
  });
  return htmlResponse(200, renderInvitation(view), framedPolicyOf(view.accent));
});
