import { landingPolicy } from "@/components/landing/policy";
import { escapeText, renderInvitation, renderNotice } from "@/components/landing/render";
import { landingRoute } from "@/lib/web/landing/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = landingRoute({
  renderInvitation,
  renderNotice,
  escapeText,
  policy: landingPolicy,
});
