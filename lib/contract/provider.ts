import { z } from "zod";
import { listCursor, type Platform } from "./fields";

/** Outcomes of a provider's event, in the order in which screens list them. */
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

/** Outcomes that may differ on a replay, after a fix; the others are final. */
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

/** A connection's custom names as its form holds them: one event per line. */
export function ownNamesText(names: ConnectionView["ownNames"]) {
  const events = Object.entries(names?.events ?? {}).map((pair) => pair.join(" = "));
  return { events: events.join("\n"), userIdKey: names?.userIdKey ?? "" };
}

/** Whether an address belongs to the reader's own machine or network, which no provider reaches. */
export const isLocalAddress = (url: string): boolean =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1]|.*\.(local|localhost|internal)$)/.test(
    new URL(url).hostname,
  );

/** A provider connection as the dashboard shows it: never its secret. */
export interface ConnectionView {
  id: string;
  provider: string;
  /** The owner's name for it, else the provider's. */
  label: string;
  url: string;
  /** Whether the provider's own secret is missing; until it is pasted, every delivery is refused. */
  waiting: boolean;
  /** Whether deliveries must carry the provider's second signature too. */
  signed: boolean;
  /** Whether its stored secrets cannot be read; until they are entered again every delivery is refused. */
  unreadable: boolean;
  /** Names that the owner chose at the provider. */
  ownNames: { events: Readonly<Record<string, string>>; userIdKey: string | null } | null;
  /** Whether purchases in web shops count as well. */
  webPurchases: boolean;
  enabled: boolean;
  createdAt: Date;
  /** End of the period in which the previous secret is accepted as well. */
  formerUntil: Date | null;
  /** The time of the last delivery without a valid proof, or with a body that is compressed or too large. */
  refusedAt: Date | null;
}

/** A new secret, as it is shown once. */
export interface NewSecret {
  id: string;
  /** The connection's address. */
  url: string;
  /** Null where the provider generates the secret, or has none. */
  secret: string | null;
}

/** The health of a connection. */
export interface ConnectionHealth {
  last: { at: Date; type: string; verdict: EventVerdict } | null;
  /** Events of the last 24 hours by verdict, in the order of {@link VERDICTS}; of the newest 10,000. */
  day: { verdict: EventVerdict; events: number }[];
  /** Refused deliveries: how many are stored and since which hour, and the newest 24 hours with some, newest first. */
  refusals: {
    deliveries: number;
    since: Date | null;
    hours: { hour: Date; deliveries: number; lastAt: Date }[];
  };
}

/** The purchase of an event, as far as the payload contains it. */
export interface PurchaseView {
  /** The platform of the store; `other` for a web shop. */
  store: Platform | "other" | null;
  product: string | null;
  /** The amount with its currency. */
  price: string | null;
  /** A kind that a campaign may not count: a renewal without a trace of the code, or a purchase without payment. */
  held?: "renewal" | "unpaid" | undefined;
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
  /** Its arrival. */
  at: Date;
  /** The provider's time of the event at the store, where it sends one. */
  occurredAt: Date | null;
  purchase: PurchaseView;
  /** The app chose none of its ids. */
  anonymous: boolean;
}

/** The effect of some types of event on a referral; names are in backticks. */
export interface EventRuleView {
  types: readonly string[];
  when?: string;
  does: "confirms" | "renews" | "reverses" | "restores" | "links" | "ignored";
  why: string;
}

/** All details of an event except its payload. */
export interface EventDetail extends EventView {
  /** The match with its referral; links lead from the referral's id to an id of the event. */
  matchedBy: {
    uid: string;
    links?: { from: string; to: string; type: string }[];
    purchase?: true;
    hand?: true;
  } | null;
  purchaseId: string | null;
  /** Ids that the event joins as one person's. */
  links: { from: string; to: string }[];
  headers: Record<string, string>;
  /** The reason why it could not be read or applied. */
  failure: string | null;
}

/** Reasons why an event has no referral. */
const DIAGNOSES = [
  "no_id",
  "anonymous",
  "never_redeemed",
  "no_code",
  "redeemed_later",
  "other_app",
  "sandbox",
  "before_purchase",
  "held_back",
  "other_purchase",
  "other_user",
  "not_applied",
  "nothing_to_turn",
] as const;

export interface Diagnosis {
  why: (typeof DIAGNOSES)[number];
  /** The other app of the workspace in which the person has redeemed. */
  app?: { id: string; name: string };
  /** The purchase that a refund names, and another one that confirmed the person's referral. */
  purchases?: { event: string; referral: string };
}

/** The set-up guide of a provider. */
export interface ProviderGuide {
  name: string;
  label: string;
  secretLabel: string;
  /** The origin of the secret. */
  secretFrom: "us" | "provider" | "none";
  signingSecretLabel: string | null;
  steps: readonly string[];
  userId: string;
  retries: string;
  unsure: readonly string[];
  /** Names that an owner can choose at the provider. */
  ownNames?: readonly ("events" | "userIdKey")[];
  /** Whether its events name the store, so that an owner can choose to count web shops. */
  webPurchases?: true;
  events: readonly EventRuleView[];
  documentation: string;
}

/** The kinds of test event: a purchase, a refund, and an event that changes nothing. */
export const SAMPLE_KINDS = ["purchase", "refund", "hello"] as const;

export type SampleKind = (typeof SAMPLE_KINDS)[number];

/** Outcomes of one step of a replay, and the cursor of the next step; null at the end. */
export interface ReplayedChunk {
  outcomes: Partial<Record<EventVerdict, number>>;
  next: string | null;
}

/** How far back a replay of many events may reach: the retention of events. */
export const REPLAY_SINCE = [
  { value: "1h", name: "The last hour" },
  { value: "1d", name: "The last 24 hours" },
  { value: "7d", name: "The last 7 days" },
  { value: "90d", name: "The last 90 days" },
] as const;

/** Filters of a connection's log in the address bar; invalid values count as absent. */
export const eventFilters = z.object({
  verdict: z.enum(VERDICTS).optional().catch(undefined),
  cursor: listCursor,
  /** The event shown in the panel. */
  event: z.uuid().optional().catch(undefined),
});

/** Outcomes that the Unmatched page can show besides the unmatched events. */
export const INBOX_SHOWS = ["sandbox", "failed", "unreadable", "dismissed"] as const;

/** The unmatched events without a sign of a lost referral: of uninvited buyers, and refunds that change none. */
export const UNINVITED = "uninvited";

/** Filters of the inbox: events that may be lost referrals, {@link UNINVITED}, or an outcome of {@link INBOX_SHOWS}. */
export const inboxFilters = z.object({
  show: z
    .enum([UNINVITED, ...INBOX_SHOWS])
    .optional()
    .catch(undefined),
  cursor: listCursor,
  event: z.uuid().optional().catch(undefined),
  /** The beginning of a user id, to find the referral that the event is linked to. */
  uid: z.string().max(255).optional().catch(undefined),
});
