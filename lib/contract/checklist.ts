/** The steps from a new app to its first referral, in the recommended order. */
export const START_STEPS = [
  "stores",
  "referee_codes",
  "reward_codes",
  "campaign",
  "key",
  "provider",
  "referral",
  "provider_event",
] as const;

export type StartStep = (typeof START_STEPS)[number];

/** How far an app has come. */
export interface Checklist {
  done: Record<StartStep, boolean>;
  count: number;
  complete: boolean;
  sandbox: boolean;
  /** `{base_url}` of the API. */
  baseUrl: string;
  /** A connection that events can be sent to. */
  connection: { id: string; label: string; url: string } | null;
}

/** The page that the steps of the checklist lead back to. */
export const startPath = (appId: string): string => `/dashboard/apps/${appId}/start`;

/** The value of `from` in the checklist's links, by which the opened page leads back. */
export const FROM_START = "start";

/** The cookie that hides the card on the overview in one browser. */
export const hiddenStartCookie = (appId: string): string => `start_hidden_${appId}`;
