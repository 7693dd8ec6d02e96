import type { LandingFrame, LandingQrCode, LandingView, PreviewScheme } from "@/lib/contract/landing";
import type { LandingLanguage } from "@/lib/contract/landing-languages";
import type { OwnTexts } from "@/lib/contract/landing-texts";
import { referralLink } from "@/lib/tenants/domains/link";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";
import { platformOf, shareImageUrl, storeLinks } from "@/lib/web/landing/links";
import { qrCodeOf } from "@/lib/web/landing/qr";
import { fillLandingTexts } from "@/lib/web/landing/texts";

/** The visitor's browser and language, and the owner's texts in it. */
interface LandingVisit {
  userAgent: string;
  language: LandingLanguage;
  clickId?: string | undefined;
  own?: OwnTexts;
  preview?: PreviewScheme | undefined;
  /** Replaces the link's image and QR code in a template. */
  drawn?: { imageHash: string; qr: LandingQrCode };
}

/** The page of an invitation for one visitor. */
export function landingView(invitation: LandingInvitation, visit: LandingVisit): LandingView {
  const { state, appId, appName, inviter, metacode, appleAppId, androidPackage, iconHash, endsAt } =
    invitation;
  const { language, clickId, own, preview, drawn } = visit;
  const platform = platformOf(visit.userAgent);
  const url = referralLink(invitation.domain, metacode);
  const stores = storesOf(appleAppId, androidPackage);
  return {
    state,
    appName,
    inviter,
    metacode,
    appleAppId,
    platform,
    clickId,
    language,
    preview,
    icon: iconHash && `/icons/${appId}/${iconHash}`,
    accent: invitation.accentColor,
    ends: endsAt !== undefined,
    url,
    imageUrl: shareImageUrl(invitation, drawn?.imageHash),
    qr: state === "open" && !platform ? (drawn?.qr ?? qrCodeOf(url)) : undefined,
    stores: storeLinks(invitation, state === "open", platform, clickId),
    texts: fillLandingTexts(language, { app: appName, inviter, metacode, endsAt, stores }, own),
  };
}

/** The stores that have the app, as the value of `stores` in the texts. */
export function storesOf(apple: string | undefined, android: string | undefined) {
  if (apple && android) return "both";
  if (apple) return "ios";
  return android ? "android" : "none";
}

/** The language and texts of a page that has no invitation. */
export function noticeFrame(language: LandingLanguage): LandingFrame {
  return { language, texts: fillLandingTexts(language, {}) };
}
