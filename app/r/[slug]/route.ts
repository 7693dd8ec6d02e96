import { landingPolicy } from "@/components/landing/policy";
import { renderInvitation, renderNotice } from "@/components/landing/render";
import { landingRoute } from "@/lib/web/landing/route";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = landingRoute({
  renderInvitation,
  renderNotice,
  policy: landingPolicy,
});
