/** What an endpoint can be told of, with when that is, in the order of a referral's life. */
export const WEBHOOK_EVENTS = {
  "referrer.created": "Somebody got a metacode.",
  "referral.clicked":
    "A person opened a referrer's link. There are many of these, so it is off unless you choose it.",
  "referral.code_assigned": "A referee was given a code.",
  "referral.redeemed": "A provider confirmed the referral.",
  "referral.reversed": "A refund took the confirmation back.",
  "reward.earned": "A referrer reached a threshold.",
  "reward.claimed": "A referrer took a reward's code.",
  "pool.low": "A pool has few codes left.",
  "pool.exhausted": "A pool gave its last code.",
  "campaign.activated": "A campaign started.",
  "campaign.ended": "A campaign ended.",
  "quota.warning": "The workspace used 80 % or all of its monthly requests.",
  "webhook.test": "You asked for a test event.",
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** What a new endpoint is told of unless its owner chooses otherwise: everything but single clicks. */
export const DEFAULT_WEBHOOK_EVENTS: readonly WebhookEvent[] = WEBHOOK_EVENT_NAMES.filter(
  (name) => name !== "referral.clicked",
);

/** An outbound endpoint as the dashboard shows it: never its secret. */
export interface EndpointView {
  id: string;
  url: string;
  description: string | null;
  events: string[];
  enabled: boolean;
  /** Why it is off. */
  disabledReason: "owner" | "gone" | "failing" | null;
  disabledAt: Date | null;
  /** Since when nothing has got through. */
  failingSince: Date | null;
  /** Until then nothing is attempted. */
  slowedUntil: Date | null;
  createdAt: Date;
  /** Until when deliveries are signed with the secret before the last rotation as well. */
  formerUntil: Date | null;
}

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dead"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How far back failed deliveries are sent again, in hours. */
export const RESEND_HOURS = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 } as const;

export type ResendSince = keyof typeof RESEND_HOURS;

/** A request that was made for a delivery, and what came back. */
export interface AttemptView {
  number: number;
  at: Date;
  ms: number;
  requestHeaders: Record<string, string>;
  /** Null where no answer came. */
  status: number | null;
  headers: Record<string, string> | null;
  answer: string | null;
  /** In words; null for a success. */
  error: string | null;
}

/** A delivery in full. */
export interface DeliveryView {
  id: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  createdAt: Date;
  /** When it is attempted next; null where that is over. */
  dueAt: Date | null;
  /** What is sent, the same bytes at every attempt. */
  body: string;
  attempts: AttemptView[];
}
