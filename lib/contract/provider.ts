/** What became of a provider's event, in the order in which people ask for it. */
export const VERDICTS = [
  "confirmed",
  "reversed",
  "restored",
  "already_confirmed",
  "unmatched",
  "dismissed",
  "not_paid",
  "renewal",
  "sandbox",
  "ignored",
  "failed",
  "unreadable",
  "received",
] as const;

export type EventVerdict = (typeof VERDICTS)[number];

/** Verdicts that may come out otherwise after something was mended; the others are done. */
export const REPLAYABLE: readonly EventVerdict[] = [
  "unmatched",
  "dismissed",
  "not_paid",
  "renewal",
  "sandbox",
  "ignored",
  "failed",
  "unreadable",
  "received",
];

/** A provider connection as the dashboard shows it: never its secret. */
export interface ConnectionView {
  id: string;
  provider: string;
  /** The owner's word for it, else the provider's name. */
  label: string;
  url: string;
  /** Whether the provider's own secret is still to be pasted; until then nothing is taken. */
  waiting: boolean;
  /** Whether deliveries must carry the provider's second signature too. */
  signed: boolean;
  /** What the owner has named otherwise at the provider. */
  ownNames: { events: Readonly<Record<string, string>>; userIdKey: string | null } | null;
  enabled: boolean;
  createdAt: Date;
  /** Until when the secret before the last change is taken as well. */
  formerUntil: Date | null;
  /** When a delivery last came without the right proof. */
  refusedAt: Date | null;
}

/** A secret as it is shown once, after it was made. */
export interface NewSecret {
  id: string;
  /** The address that it belongs to. */
  url: string;
  /** Null where it is not ours to show: the provider's own, or none. */
  secret: string | null;
}

/** How a connection is doing. */
export interface ConnectionHealth {
  last: { at: Date; type: string; verdict: EventVerdict } | null;
  /** Events of the last 24 hours by verdict, in the order of {@link VERDICTS}; of the newest 10,000. */
  day: { verdict: EventVerdict; events: number }[];
}

/** An event of a provider as a list shows it. */
export interface EventView {
  id: string;
  connectionId: string;
  eventId: string;
  type: string;
  uids: string[];
  verdict: EventVerdict;
  referralId: string | null;
  at: Date;
}

/** What events of some types do to a referral; back quotes stand around names. */
export interface EventRuleView {
  types: readonly string[];
  when?: string;
  does: "confirms" | "renews" | "reverses" | "restores" | "links" | "ignored";
  why: string;
}

/** One event in full, but for what was sent. */
export interface EventDetail extends EventView {
  /** How its referral was found; links lead from the referral's id to one of the event's. */
  matchedBy: { uid: string; links?: { from: string; to: string; type: string }[]; purchase?: true } | null;
  /** When it happened at the store, where the provider says so. */
  occurredAt: Date | null;
  purchaseId: string | null;
  /** Ids of one person that it tells of. */
  links: { from: string; to: string }[];
  headers: Record<string, string>;
  /** Why it could not be read or judged. */
  failure: string | null;
}

/** Why an event has no referral. */
export const DIAGNOSES = [
  "no_id",
  "anonymous",
  "never_redeemed",
  "redeemed_later",
  "other_app",
  "sandbox",
  "before_purchase",
  "nothing_to_turn",
] as const;

export interface Diagnosis {
  why: (typeof DIAGNOSES)[number];
  /** The other app of the workspace in which the person redeemed. */
  app?: { id: string; name: string };
}

/** The words a person needs at the provider's end. */
export interface ProviderGuide {
  name: string;
  label: string;
  secretLabel: string;
  /** Who makes the secret; `nobody` where there is none. */
  secretFrom: "us" | "provider" | "nobody";
  signingSecretLabel: string | null;
  steps: readonly string[];
  userId: string;
  retries: string;
  unsure: readonly string[];
  /** What an owner can have named otherwise over there. */
  ownNames?: readonly ("events" | "userIdKey")[];
  events: readonly EventRuleView[];
  documentation: string;
}

/** The kinds of test event: a purchase, a refund, and one that only says hello. */
export const TEST_KINDS = ["purchase", "refund", "hello"] as const;

export type TestKind = (typeof TEST_KINDS)[number];

/** What became of some events that were replayed at once, and where to go on; null at the end. */
export interface ReplayedChunk {
  became: Partial<Record<EventVerdict, number>>;
  next: string | null;
}

/** How far back a replay of many may reach: as far as events are kept. */
export const REPLAY_SINCE = [
  { value: "1h", name: "The last hour" },
  { value: "1d", name: "The last 24 hours" },
  { value: "7d", name: "The last 7 days" },
  { value: "90d", name: "The last 90 days" },
] as const;
