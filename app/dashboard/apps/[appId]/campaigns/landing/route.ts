import { framedPolicy } from "@/components/landing/policy";
import { renderInvitation } from "@/components/landing/render";
import { htmlResponse } from "@/lib/http/html";
import { sampleView } from "@/lib/landing/sample-view";
import { appDownload } from "@/lib/session/download";

/** The landing page as the app's invited people see it, for the preview beside a campaign's form. */
export const GET = appDownload("viewer", async (ctx, query) =>
  htmlResponse(
    200,
    renderInvitation(sampleView(ctx, query.get("platform") === "android" ? "android" : "ios")),
    framedPolicy,
  ),
);
