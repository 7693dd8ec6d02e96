import type { Platform } from "@/lib/contract/fields";
import { builtInText, ENGLISH, nameIn, type OwnApiTexts, ownText } from "@/lib/program/texts/api-texts";

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

/** Instructions in the language of these texts and `store_url` for redeeming a code. The owner's own words come first. */
export function redemptionOf(item: Redeemable, app: string, texts: OwnApiTexts = ENGLISH): Redemption {
  const key =
    item.platform === "ios" ? "redeemIos" : item.kind === "custom" ? "redeemInApp" : "redeemAndroid";
  const instructions =
    ownText(texts, key, { app: nameIn(texts, app) }) ?? item.instructions ?? builtInText(texts, key);
  return { instructions, storeUrl: storeUrl(item) };
}
