import type { LandingFrame, LandingView } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { OwnTexts } from "@/lib/contract/landing-texts";
import { linkOf } from "@/lib/domains/link";
import type { Invitation } from "@/lib/landing/find-invitation";
import { platformOf, storeLinks } from "@/lib/landing/store-links";
import { landingTexts } from "@/lib/landing/texts";
import { shareImageUrl } from "@/lib/share-image/address";

/** Who looks, in what language, and what the owner says in it. */
export interface Visit {
  userAgent: string;
  language: LandingLanguage;
  clickId?: string | undefined;
  own?: OwnTexts;
  preview?: boolean;
}

/** What the page of an invitation says to this visitor. */
export function landingView(invitation: Invitation, visit: Visit): LandingView {
  const { state, appId, appName, inviter, metacode, appleAppId, androidPackage, iconHash, endsAt } =
    invitation;
  const { language, clickId, own, preview = false } = visit;
  const platform = platformOf(visit.userAgent);
  return {
    ...{ state, appName, inviter, metacode, appleAppId, platform, clickId, language, preview },
    icon: iconHash && `/icons/${appId}/${iconHash}`,
    accent: invitation.accentColor,
    ends: endsAt !== undefined,
    url: linkOf(invitation.domain, metacode),
    imageUrl: shareImageUrl(invitation),
    stores: storeLinks(invitation, state === "open", platform, clickId),
    texts: landingTexts(
      language,
      { app: appName, inviter, metacode, endsAt, stores: storesOf(appleAppId, androidPackage) },
      own,
    ),
  };
}

/** Which stores have the app, as texts ask for it. */
export function storesOf(
  apple: string | undefined,
  android: string | undefined,
): "both" | "ios" | "android" | "none" {
  if (apple && android) return "both";
  if (apple) return "ios";
  return android ? "android" : "none";
}

/** The language and texts of a page that has no invitation. */
export function noticeFrame(language: LandingLanguage): LandingFrame {
  return { language, texts: landingTexts(language, {}) };
}
