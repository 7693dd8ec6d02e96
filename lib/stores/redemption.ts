import type { Platform } from "@/lib/contract/fields";

/** What is needed to tell a person how to redeem a code. */
interface Redeemable {
  code: string;
  kind: "one_time" | "custom";
  platform: Platform;
  appleAppId: string | null;
  androidPackage: string | null;
  /** The campaign's own words, in place of the built-in ones. */
  instructions: string | null;
}

export interface Redemption {
  instructions: string;
  storeUrl: string;
}

/** Store addresses are built from templates and encoded parts alone, so that no setting can lead anywhere else. */
function storeUrl(item: Redeemable): string {
  const code = encodeURIComponent(item.code);
  if (item.platform === "ios") {
    const id = encodeURIComponent(item.appleAppId ?? "");
    return `https://apps.apple.com/redeem?ctx=offercodes&id=${id}&code=${code}`;
  }
  if (item.kind === "custom") {
    // Google: "Users can only redeem custom codes in-app"; a redeem link would answer that the code is unknown.
    return `https://play.google.com/store/apps/details?id=${encodeURIComponent(item.androidPackage ?? "")}`;
  }
  return `https://play.google.com/redeem?code=${code}`;
}

const IOS =
  "Open the link, or go to the App Store, tap your profile picture, choose Redeem Gift Card or Code and enter the code.";
const ANDROID_ONE_TIME =
  "Open the link, or go to Google Play, tap your profile picture, choose Payments & subscriptions, then Redeem code, and enter the code.";
const ANDROID_CUSTOM =
  "Open the app, start the subscription, tap the payment method, choose Redeem code and enter the code. This code cannot be redeemed by a link.";

/** Where and how a code is redeemed (contract, `store_url`). */
export function redemptionOf(item: Redeemable): Redemption {
  const builtIn = item.platform === "ios" ? IOS : item.kind === "custom" ? ANDROID_CUSTOM : ANDROID_ONE_TIME;
  return { instructions: item.instructions ?? builtIn, storeUrl: storeUrl(item) };
}
