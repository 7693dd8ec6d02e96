import type { Platform } from "@/lib/contract/fields";

/** A code with everything that its redemption instructions depend on. */
interface Redeemable {
  code: string;
  kind: "one_time" | "custom";
  platform: Platform;
  appleAppId: string | null;
  androidPackage: string | null;
  /** The campaign's own instructions, in place of the built-in text. */
  instructions: string | null;
}

export interface Redemption {
  instructions: string;
  storeUrl: string;
}

/** Built from fixed templates and encoded parts, so that no setting can lead to another site. */
function storeUrl(item: Redeemable): string {
  const code = encodeURIComponent(item.code);
  if (item.platform === "ios") {
    if (!item.appleAppId) return `https://apps.apple.com/redeem?code=${code}`;
    const id = encodeURIComponent(item.appleAppId);
    return `https://apps.apple.com/redeem?ctx=offercodes&id=${id}&code=${code}`;
  }
  if (item.kind === "custom") {
    // Google: "Users can only redeem custom codes in-app"; a redeem link would report an unknown code.
    if (!item.androidPackage) return "https://play.google.com/store/apps";
    return `https://play.google.com/store/apps/details?id=${encodeURIComponent(item.androidPackage)}`;
  }
  return `https://play.google.com/redeem?code=${code}`;
}

const IOS_TEXT =
  "Open the link, or go to the App Store, tap your profile picture, choose Redeem Gift Card or Code and enter the code.";
const ANDROID_ONE_TIME_TEXT =
  "Open the link, or go to Google Play, tap your profile picture, choose Payments & subscriptions, then Redeem code, and enter the code.";
const ANDROID_CUSTOM_TEXT =
  "Open the app, start the subscription, tap the payment method, choose Redeem code and enter the code. This code cannot be redeemed by a link.";

/** Instructions and `store_url` for redeeming a code. */
export function redemptionOf(item: Redeemable): Redemption {
  const builtIn =
    item.platform === "ios" ? IOS_TEXT : item.kind === "custom" ? ANDROID_CUSTOM_TEXT : ANDROID_ONE_TIME_TEXT;
  return { instructions: item.instructions ?? builtIn, storeUrl: storeUrl(item) };
}
