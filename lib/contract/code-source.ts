import type { Platform } from "./fields";

/** Where codes of a store come from, as the dashboard explains it. */
export interface CodeSource {
  platform: Platform;
  name: string;
  /** `asked`: this service asks the store for them. `file`: a person downloads them there. */
  way: "asked" | "file";
  /** What to do over there, in order; `code` between backticks. */
  steps: readonly string[];
  /** What the store allows. */
  limits: readonly string[];
}

/** The stores, by platform. */
export const CODE_SOURCES: Record<Platform, CodeSource> = {
  ios: {
    platform: "ios",
    name: "App Store Connect",
    way: "asked",
    steps: [
      "At App Store Connect open Users and Access, then Integrations, then App Store Connect API.",
      "Under Team Keys add a key with the role App Manager. A key of one person has no issuer ID and does not fit.",
      "Copy the issuer ID above the list and the key ID beside the new key.",
      "Download the key. Apple offers the `.p8` file once only.",
    ],
    limits: [
      "10 to 10,000 codes in one request, and 1,000,000 for an app in a quarter.",
      "Codes end within six months, at midnight in California as their last day begins.",
      "A customer can redeem one code of an offer, so rewards need several offers.",
      "Offers are made at App Store Connect: ten of a subscription can be active at a time.",
    ],
  },
  android: {
    platform: "android",
    name: "Google Play",
    way: "file",
    steps: [
      "In Play Console choose the app and find Promo codes under Monetize.",
      "Create a promotion of one-time codes: its product, its end, and how many codes. Product and number cannot be changed later, and it has to start in the future.",
      "When it has started, open it and choose Download codes.",
      "Import the file here, and enter the end of the quarter as the day on which the codes end.",
    ],
    limits: [
      "Unused codes end with the quarter: 31 March, 30 June, 30 September and 31 December.",
      "500 codes in a quarter for one-time products, over all promotions of the app.",
      "10,000 codes in a quarter for each subscription product, one promotion at a time.",
      "A subscription code is a free trial of 3 to 90 days, after which the subscription is paid.",
      "Custom codes work for new subscribers only, and only inside the app: a link cannot redeem them.",
    ],
  },
};
