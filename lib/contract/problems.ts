import { z } from "zod";
import { optionalNameField, uuidField } from "./fields";
import { WEBHOOK_EVENTS } from "./webhook-events";
import type { Role } from "./workspace";

/** The kinds of problems for alert channels under their headings, each with name and reason. The kinds are stored. */
export const ALERT_GROUPS = {
  "Codes and rewards": {
    pool_low: [
      "Pool low or empty",
      "A pool is at its low-stock threshold, lasts less than 7 days, is empty, or has no offer for those in line.",
    ],
    batch_expiring: [
      "Batch expiring",
      "Codes expire within 14 days, counted to the safety margin, and will not all be used by then at the current pace.",
    ],
    refill_stopped: ["Refill stopped", "A pool is no longer refilled from App Store Connect."],
    rewards_waiting: ["Rewards waiting", "Earned rewards cannot be claimed."],
  },
  "Campaigns and referrals": {
    campaign: [
      "Campaign",
      "No campaign is active, or an active one lacks a pool or a platform that its links promise.",
    ],
    budget: ["Budget", "A campaign used 80% or all of its budget for codes or rewards."],
    pace: ["Unusual pace", "Codes are assigned more than five times as fast as usual."],
    review: ["Held for review", "Redemptions beyond a limit wait for your review."],
  },
  Providers: {
    provider_refused: ["Provider refused", "A provider’s events cannot be authenticated or read."],
    provider_silent: ["Provider silent", "Events have stopped, or no connection is enabled."],
    unmatched: ["Unmatched events piling up", "Ten or more confirmations within a day match no referral."],
  },
  "API, webhooks and domain": {
    quota: ["Quota", WEBHOOK_EVENTS["quota.warning"]],
    key_limited: ["Key refused", "A key reached its budget or its limits, or has ended and is still sent."],
    webhook_failing: [
      "Webhook failing",
      "A webhook endpoint accepts no events, or was disabled for this reason.",
    ],
    backlog: [
      "Backlog",
      "Webhooks, emails, alerts or requests for codes are more than 10 minutes late, or a chat or mailbox accepts no alerts.",
    ],
    domain_lost: [
      "Domain record missing",
      "The DNS record of your domain is missing, or another app has verified the domain.",
    ],
  },
} as const;

type AlertGroups = typeof ALERT_GROUPS;

export type AlertKind = { [Group in keyof AlertGroups]: keyof AlertGroups[Group] }[keyof AlertGroups];

export const ALERT_KINDS = Object.values(ALERT_GROUPS).flatMap(Object.keys) as [AlertKind, ...AlertKind[]];

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
  /** The lowest role that may take the action. */
  needs: Role;
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
  name: optionalNameField("name", 60),
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
