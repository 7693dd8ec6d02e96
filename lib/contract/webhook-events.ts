import { z } from "zod";
import type { webhookEndpoints } from "@/lib/platform/db/schema";
import { listCursor } from "./fields";
import { QUOTA_WARN_PERCENT } from "./quota";

/** The events that an endpoint can receive, each with its occasion, in the order of a referral's lifecycle. */
export const WEBHOOK_EVENTS = {
  "referrer.created": "A user got a metacode.",
  "referral.clicked":
    "A visitor opened a referral link. There are many of these, so it is off unless you choose it.",
  "referral.code_ready":
    "A code is set aside for 48 hours for a referee who found the pool empty, or whose review is over.",
  "referral.code_assigned": "A referee was assigned a code.",
  "referral.redeemed": "A referral was confirmed, or its reversal ended.",
  "referral.reversed": "A refund or a member of your team reversed the confirmation.",
  "referral.released": "A member of your team undid a redemption. The referee may redeem again.",
  "reward.earned": "A referrer reached the threshold.",
  "reward.claimed": "A referrer claimed the code of a reward.",
  "reward.withdrawn": "A member of your team withdrew a reward that was not claimed.",
  "reward.restored": "A withdrawn reward can be claimed again.",
  "pool.low": "A pool has few codes left.",
  "pool.exhausted": "A request found no assignable code left in a pool.",
  "campaign.activated": "A campaign was activated. It assigns codes from its start date on.",
  "campaign.ended": "A campaign ended. A draft can end, too.",
  "quota.warning": `The workspace used ${QUOTA_WARN_PERCENT}% or all of its monthly requests.`,
  "webhook.test": "You sent a test event.",
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** The default events of a new endpoint: all except single clicks. */
export const DEFAULT_WEBHOOK_EVENTS: readonly WebhookEvent[] = WEBHOOK_EVENT_NAMES.filter(
  (name) => name !== "referral.clicked",
);

/** A webhook endpoint as the dashboard shows it: never its secrets. */
export type EndpointView = Pick<
  typeof webhookEndpoints.$inferSelect,
  | "id"
  | "url"
  | "description"
  | "events"
  | "enabled"
  | "disabledReason"
  | "disabledAt"
  | "failingSince"
  | "slowedUntil"
  | "createdAt"
  | "formerUntil"
>;

const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dead"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How far back failed deliveries are resent, in hours. */
export const RESEND_HOURS = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 } as const;

export type ResendSince = keyof typeof RESEND_HOURS;

/** A request for a delivery, and its response. */
export interface AttemptView {
  number: number;
  at: Date;
  ms: number;
  requestHeaders: Record<string, string>;
  /** Null without a response. */
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  /** The reason for a failure; null for a success. */
  error: string | null;
}

/**
 * The reason why a delivery is still open: it waits for the response to its request, for a process to take it (`late`
 * if that is overdue), for its endpoint, for its next attempt, or for an earlier delivery about the same subject.
 */
export type DeliveryProgress = "sending" | "queued" | "late" | "endpoint" | "retry" | "earlier";

/** A delivery in full. */
export interface DeliveryView {
  id: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  /** Null once it has ended. */
  progress: DeliveryProgress | null;
  createdAt: Date;
  /** The time of the next attempt; null after the last one. */
  dueAt: Date | null;
  /** The same bytes at every attempt. */
  body: string;
  attempts: AttemptView[];
}

/** The filters of an endpoint's deliveries, from an address bar. An invalid value counts as absent. */
export const deliveryFilters = z.object({
  status: z.enum(DELIVERY_STATUSES).optional().catch(undefined),
  cursor: listCursor,
  /** The delivery to show in full. */
  delivery: z.uuid().optional().catch(undefined),
});
