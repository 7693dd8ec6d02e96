import type { LandingView } from "@/lib/contract/landing";
import { linkOf } from "@/lib/domains/link";
import type { Invitation } from "@/lib/landing/find-invitation";
import { platformOf, storeLinks } from "@/lib/landing/store-links";

/** What the page of an invitation says to this visitor. */
export function landingView(
  invitation: Invitation,
  userAgent: string,
  clickId: string | undefined,
): LandingView {
  const { state, appName, inviter, metacode, appleAppId } = invitation;
  const platform = platformOf(userAgent);
  return {
    state,
    appName,
    inviter,
    metacode,
    appleAppId,
    platform,
    clickId,
    url: linkOf(invitation.domain, metacode),
    stores: storeLinks(invitation, state === "open", platform, clickId),
  };
}
