import type { Platform } from "./fields";

/** The origin of a store's codes, as the dashboard explains it. */
export interface CodeSourceGuide {
  platform: Platform;
  name: string;
  /** `api`: the service requests codes from the store. `file`: a person downloads them there. */
  way: "api" | "file";
  /** Steps at the store, in order; code between backticks. */
  steps: readonly string[];
  /** The store's limits. */
  limits: readonly string[];
}

export const CODE_SOURCE_GUIDES: Record<Platform, CodeSourceGuide> = {
  ios: {
    platform: "ios",
    name: "App Store Connect",
    way: "api",
    steps: [
      "In App Store Connect, open Users and Access, then Integrations, then App Store Connect API.",
      "Under Team Keys, add a key with the role App Manager. An individual key has no issuer ID and does not work here.",
      "Copy the issuer ID above the list and the key ID beside the new key.",
      "Download the key. Apple offers the `.p8` file only once.",
    ],
    limits: [
      "10 to 10,000 codes per request, and 1,000,000 per app and quarter.",
      "Codes expire within six months, at 00:00 Pacific Time on the expiry date.",
      "A customer can redeem one code per offer, so rewards need several offers.",
      "Offers are created in App Store Connect. Ten offers per subscription can be active at a time.",
    ],
  },
  android: {
    platform: "android",
    name: "Google Play",
    way: "file",
    steps: [
      "In Play Console, choose the app and open Promo codes under Monetize.",
      "Create a promotion of one-time codes with its product, its end date and the number of codes. Product and number cannot be changed later, and the promotion has to start in the future.",
      "When it has started, open it and choose Download codes.",
      "Import the file here, and enter the end of the quarter as the expiry date.",
    ],
    limits: [
      "Unused codes expire with the quarter: 31 March, 30 June, 30 September and 31 December.",
      "500 codes per quarter for one-time products, across all promotions of the app.",
      "10,000 codes per quarter for each subscription product, one promotion at a time.",
      "A subscription code is a free trial of 3 to 90 days, after which the subscription is paid.",
      "Custom codes work for new subscribers only, and only inside the app. A link cannot redeem them.",
    ],
  },
};
