import { z } from "zod";
import { uuidField } from "./fields";
import { WEBHOOK_EVENTS } from "./webhook-events";

/** Problems that alert channels can be notified about. The names are stored. */
export const ALERTS = {
  quota: WEBHOOK_EVENTS["quota.warning"],
  campaign: "No campaign is active, or an active one lacks a pool or a platform that its links promise.",
  budget: "A campaign used 80% or all of its budget for codes or rewards.",
  pool_low:
    "A pool is at its low-stock threshold, lasts less than 7 days, is empty, or has no offer for those in line.",
  rewards_waiting: "Earned rewards cannot be claimed.",
  refill_stopped: "A pool is no longer refilled from App Store Connect.",
  batch_expiring: "Codes expire within 14 days and will not all be used by then at the current pace.",
  provider_refused: "A provider's events arrive without the right secret.",
  provider_silent: "A provider that used to send events has stopped.",
  unmatched: "Ten or more confirmations within a day match no referral.",
  pace: "Codes are assigned more than five times as fast as usual.",
  review: "Redemptions beyond a limit wait for your review.",
  key_limited: "A key's daily budget is used up, or its limits refuse many requests.",
  webhook_failing: "A webhook endpoint accepts no events, or was disabled for that.",
  backlog:
    "Webhooks, emails, alerts or requests for codes are more than 10 minutes late, or a chat accepts no alerts.",
  domain_lost: "The DNS record of your domain is missing.",
} as const;

export type AlertKind = keyof typeof ALERTS;

export const ALERT_KINDS = Object.keys(ALERTS) as [AlertKind, ...AlertKind[]];

/** Short names, for lists and switches. */
export const ALERT_NAMES: Record<AlertKind, string> = {
  quota: "Quota",
  campaign: "Campaign",
  budget: "Budget",
  pool_low: "Pool low or empty",
  rewards_waiting: "Rewards waiting",
  refill_stopped: "Refill stopped",
  batch_expiring: "Batch expiring",
  provider_refused: "Provider refused",
  provider_silent: "Provider silent",
  unmatched: "Unmatched events piling up",
  pace: "Unusual pace",
  review: "Held for review",
  key_limited: "Key limited",
  webhook_failing: "Webhook failing",
  backlog: "Backlog",
  domain_lost: "Domain record missing",
};

/** Most urgent first. `critical`: end users get nothing now. `hint`: worth a look, sent to no channel. */
export const SEVERITIES = ["critical", "warning", "hint"] as const;

export type Severity = (typeof SEVERITIES)[number];

/** A problem of an app as every list shows it. */
export interface ProblemView {
  kind: AlertKind | "provider_never" | "key_unused";
  /** The row concerned, with its state if a row can have several: `<pool> empty`. Unique together with the kind. */
  subject: string;
  severity: Severity;
  /** States what happened, on one line. Holds names chosen by users, so each channel escapes it. */
  title: string;
  /** Begins with the action, then says what the problem means. */
  detail: string;
  /** The page that solves it, below the app's own path; from `/dashboard/` on for pages of the workspace. */
  path: string;
  /** Label of the link to that page. */
  action: string;
  /** The time of its alerts; null before they are sent, and for hints. */
  notifiedAt: Date | null;
}

/** The page that solves a problem, from the root of the site. */
export const problemHref = (appId: string, path: string): string =>
  path.startsWith("/dashboard/") ? path : `/dashboard/apps/${appId}${path}`;

/** `slack` and `discord` are incoming webhooks; other chats accept one of the two formats. The names are stored. */
const CHANNEL_TYPES = ["slack", "discord", "mail"] as const;

export type ChannelType = (typeof CHANNEL_TYPES)[number];

const MAX_TARGET = 2_000;

/** A new alert channel. The verb checks the target, which differs by type. */
export const channelInput = z.object({
  type: z.enum(CHANNEL_TYPES, { error: "type must be slack, discord or mail" }),
  name: z.string().trim().max(60, "name must be at most 60 characters").default(""),
  target: z
    .string({ error: "target is required" })
    .trim()
    .min(1, "target is required")
    .max(MAX_TARGET, `target must be at most ${MAX_TARGET} characters`),
  kinds: z
    .array(z.enum(ALERT_KINDS, { error: "kinds must be among those of the list" }))
    .min(1, "Choose at least one kind"),
});

export type ChannelInput = z.input<typeof channelInput>;

/** The target cannot be updated: another address is another channel. */
export const channelUpdate = channelInput.pick({ name: true, kinds: true }).extend({
  channelId: uuidField("channelId"),
});

/** A channel as a page may show it: the secret part of its address is masked. */
export interface ChannelView {
  id: string;
  type: ChannelType;
  /** The owner's name for it; empty for none. */
  name: string;
  /** That name, else the masked address. */
  label: string;
  masked: string;
  kinds: AlertKind[];
  enabled: boolean;
  /** Why the service disabled it, or why the last alert was not accepted, as a sentence. */
  stoppedBecause: string | null;
  createdAt: Date;
}
