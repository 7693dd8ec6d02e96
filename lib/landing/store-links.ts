import type { Platform } from "@/lib/contract/fields";
import type { StoreLink } from "@/lib/contract/landing";

interface StoreListing {
  metacode: string;
  appleAppId: string | undefined;
  androidPackage: string | undefined;
}

/** The visitor's phone by its User-Agent. An iPad calls itself a Macintosh, so it counts as no phone. */
export function platformOf(userAgent: string): Platform | undefined {
  if (/iPhone|iPad|iPod/.test(userAgent)) return "ios";
  return /Android/.test(userAgent) ? "android" : undefined;
}

/**
 * The app's pages in the stores. Google Play hands `referrer` to the installed app, so the metacode need not be typed;
 * Apple has no such thing. `clickId` without an open invitation stays out, and so does the metacode.
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
  return links.sort((one, other) => Number(other.platform === platform) - Number(one.platform === platform));
}

function installReferrer(metacode: string, clickId: string | undefined): string {
  const fields = new URLSearchParams({ metacode });
  if (clickId) fields.set("click_id", clickId);
  return String(fields);
}
