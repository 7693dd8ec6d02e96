import { API_TEXTS, type ApiText } from "./api-texts";

/** Every text of the landing page, with the placeholders that its translations may use. */
export const LANDING_TEXTS = {
  invited: ["inviter", "app"],
  invitedPlain: ["app"],
  gift: [],
  lead: [],
  metacode: [],
  copy: [],
  copied: [],
  copyByHand: [],
  share: [],
  how: [],
  step1: ["app"],
  step1Text: ["stores"],
  step2: [],
  step2Text: ["metacode"],
  step3: [],
  step3Text: [],
  stores: [],
  appStore: [],
  googlePlay: [],
  scan: [],
  until: ["date"],
  daysLeft: ["days"],
  pausedTitle: ["app"],
  pausedText: [],
  endedTitle: ["app"],
  endedText: [],
  unknown: [],
  unknownText: [],
  unavailable: [],
  unavailableText: [],
  description: ["app", "metacode"],
  language: [],
} as const;

export type LandingText = keyof typeof LANDING_TEXTS;

/** One language's texts as ICU messages. */
export type LandingMessages = Record<LandingText, string>;

/** Texts ready to be shown, with names between the marks U+2068 and U+2069. */
export type LandingTexts = Record<LandingText, string>;

interface OwnText {
  /** Its name in the dashboard. */
  label: string;
  /** In characters. */
  maxLength: number;
}

/** The texts that an owner may replace: the landing page's in its order, then those that the API sends to the app. */
export const OWN_TEXTS = {
  gift: { label: "Heading: what the friend gets", maxLength: 80 },
  invited: { label: "Above the heading, inviter known", maxLength: 120 },
  invitedPlain: { label: "Above the heading, inviter without a name", maxLength: 120 },
  lead: { label: "Below the heading", maxLength: 240 },
  step1: { label: "Step 1", maxLength: 80 },
  step1Text: { label: "Step 1, explained", maxLength: 240 },
  step2: { label: "Step 2", maxLength: 80 },
  step2Text: { label: "Step 2, explained", maxLength: 240 },
  step3: { label: "Step 3", maxLength: 80 },
  step3Text: { label: "Step 3, explained", maxLength: 240 },
  redeemIos: { label: "In the app: how to redeem a code of the App Store", maxLength: 500 },
  redeemAndroid: { label: "In the app: how to redeem a one-time code of Google Play", maxLength: 500 },
  redeemInApp: { label: "In the app: how to redeem a custom code of Google Play", maxLength: 500 },
  referredBy: { label: "In the app: who referred the friend", maxLength: 120 },
} as const satisfies Partial<Record<LandingText | ApiText, OwnText>>;

export type OwnTextKey = keyof typeof OWN_TEXTS;

export const OWN_TEXT_KEYS = Object.keys(OWN_TEXTS) as OwnTextKey[];

/** An owner's texts in one language; missing ones are the defaults. */
export type OwnTexts = Partial<Record<OwnTextKey, string>>;

/** The placeholders that an owner's text may contain; only two texts have the inviter's name. */
export function placeholdersOf(key: OwnTextKey): string[] {
  if (key === "referredBy") return ["inviter", "app"];
  if (isApiText(key)) return ["app"];
  return key === "invited" ? ["inviter", "app", "metacode"] : ["app", "metacode"];
}

/** Whether a text fails to name the referrer, as `referrer_info.message` must (specification 4.3). */
export const lacksInviter = (key: string, text: string): boolean =>
  key === "referredBy" && !text.includes("{inviter}");

/** Whether a text is one of the API, not of the landing page. */
export const isApiText = (key: string): key is ApiText => Object.hasOwn(API_TEXTS, key);

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Fills the placeholders of an owner's text; other text in braces stays. */
export function fillText(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** The first text in braces that is not a placeholder. */
export function unknownPlaceholder(key: OwnTextKey, text: string): string | undefined {
  const known = placeholdersOf(key);
  return [...text.matchAll(PLACEHOLDER)].find(([, name = ""]) => !known.includes(name))?.[0];
}
