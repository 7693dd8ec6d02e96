import { createHash } from "node:crypto";
import type { Platform } from "@/lib/contract/fields";
import type { StoreLink } from "@/lib/contract/landing";
import { referralLink } from "@/lib/tenants/domains/link";
import type { LandingInvitation } from "@/lib/web/landing/find-invitation";

interface StoreListing {
  metacode: string;
  appleAppId: string | undefined;
  androidPackage: string | undefined;
}

/** The visitor's phone by its User-Agent. An iPad claims to be a Macintosh, so it is not recognised. */
export function platformOf(userAgent: string): Platform | undefined {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "ios";
  return /Android/.test(userAgent) ? "android" : undefined;
}

/**
 * The app's pages in the stores. Google Play passes `referrer` to the installed app, so the metacode need not be typed;
 * Apple has no equivalent. A closed invitation's links carry neither the metacode nor `clickId`.
 */
export function storeLinks(
  listing: StoreListing,
  open: boolean,
  platform: Platform | undefined,
  clickId: string | undefined,
): StoreLink[] {
  const links: StoreLink[] = [];
  if (listing.appleAppId) {
    links.push({
      platform: "ios",
      href: `https://apps.apple.com/app/id${encodeURIComponent(listing.appleAppId)}`,
    });
  }
  if (listing.androidPackage) {
    const query = new URLSearchParams({ id: listing.androidPackage });
    if (open) query.set("referrer", installReferrer(listing.metacode, clickId));
    links.push({ platform: "android", href: `https://play.google.com/store/apps/details?${query}` });
  }
  return links.sort((a, b) => Number(b.platform === platform) - Number(a.platform === platform));
}

function installReferrer(metacode: string, clickId: string | undefined): string {
  const fields = new URLSearchParams({ metacode });
  if (clickId) fields.set("click_id", clickId);
  return String(fields);
}

/** The version of the drawing, raised with every change so that cached images are fetched again. */
const DESIGN = 2;

/** A hash of the image's content: a new name, colour or icon changes the address. */
export function shareImageHash({
  state,
  appName,
  accentColor,
  iconHash,
  inviter,
  metacode,
}: LandingInvitation): string {
  const drawn = [DESIGN, appName, accentColor, iconHash, ...(state === "open" ? [inviter, metacode] : [])];
  return createHash("sha256").update(JSON.stringify(drawn)).digest("hex").slice(0, 20);
}

/** The image's address: absolute, because chat apps resolve no relative one, with a file extension, because some require it. */
export function shareImageUrl(
  invitation: LandingInvitation,
  hash: string = shareImageHash(invitation),
): string {
  return `${referralLink(invitation.domain, invitation.metacode)}/image/${hash}.png`;
}
