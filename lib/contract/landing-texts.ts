/** Every text of the landing page; the values name what a translation may put in: `{app}` and the like. */
export const LANDING_TEXTS = {
  invited: ["inviter", "app"],
  invitedPlain: ["app"],
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

/** Texts ready to be shown. A name of somebody's stands between the marks U+2068 and U+2069. */
export type LandingTexts = Record<LandingText, string>;

interface OwnText {
  /** What it is called in the dashboard. */
  label: string;
  /** Most letters that it may have. */
  most: number;
}

/** The texts that an owner may replace, in the order of the page. */
export const OWN_TEXTS = {
  invited: { label: "Heading, inviter known", most: 120 },
  invitedPlain: { label: "Heading, inviter without a name", most: 120 },
  lead: { label: "Below the heading", most: 240 },
  step1: { label: "Step 1", most: 80 },
  step1Text: { label: "Step 1, explained", most: 240 },
  step2: { label: "Step 2", most: 80 },
  step2Text: { label: "Step 2, explained", most: 240 },
  step3: { label: "Step 3", most: 80 },
  step3Text: { label: "Step 3, explained", most: 240 },
} as const satisfies Partial<Record<LandingText, OwnText>>;

export type OwnTextKey = keyof typeof OWN_TEXTS;

export const OWN_TEXT_KEYS = Object.keys(OWN_TEXTS) as OwnTextKey[];

/** An owner's texts in one language; what is not in it is the default. */
export type OwnTexts = Partial<Record<OwnTextKey, string>>;

/** What stands for a value in an owner's text. There is an inviter's name in the one heading only. */
export function placeholdersOf(key: OwnTextKey): string[] {
  return key === "invited" ? ["inviter", "app", "metacode"] : ["app", "metacode"];
}

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Fills an owner's text; what is no placeholder stays as it is. */
export function fillText(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** The first thing in braces that no value will replace. */
export function strangePlaceholder(key: OwnTextKey, text: string): string | undefined {
  const known = placeholdersOf(key);
  return [...text.matchAll(PLACEHOLDER)].find(([, name = ""]) => !known.includes(name))?.[0];
}
