import { z } from "zod";
import { uuidField } from "./uuid";

/** What people can be told of, with when that is. */
export const ALERTS = {
  pool_low: "A pool has as few codes left as its own setting says, or none.",
  batch_expiring: "Codes expire within 14 days that nobody will have taken by then.",
  quota: "The workspace used 80 % or all of its monthly requests.",
  provider_silent: "A provider that used to send events has stopped.",
  provider_refused: "A provider's events come without the right secret.",
  webhook_failing: "An endpoint of yours does not take events, or was switched off for it.",
  unmatched: "Ten or more confirmations within a day fitted nobody.",
} as const;

export type AlertKind = keyof typeof ALERTS;

export const ALERT_KINDS = Object.keys(ALERTS) as [AlertKind, ...AlertKind[]];

/** Short names, for lists and switches. */
export const ALERT_NAMES: Record<AlertKind, string> = {
  pool_low: "Pool low",
  batch_expiring: "Batch expiring",
  quota: "Quota",
  provider_silent: "Provider silent",
  provider_refused: "Provider refused",
  webhook_failing: "Webhook failing",
  unmatched: "Unmatched piling up",
};

/** Ways to be told. `slack` and `discord` are incoming webhooks; others speak one of the two. */
export const CHANNEL_TYPES = ["slack", "discord", "mail"] as const;

export type ChannelType = (typeof CHANNEL_TYPES)[number];

const MAX_TARGET = 2_000;

/** A new way to be told. The target is looked at by the verb, because it differs by type. */
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

/** What of a channel may be changed: its address is given anew by adding another one. */
export const channelChange = channelInput.pick({ name: true, kinds: true }).extend({
  channelId: uuidField("channelId"),
});

/** A channel as a page may show it: its address without what is secret in it. */
export interface ChannelView {
  id: string;
  type: ChannelType;
  /** The owner's word for it, else where it leads. */
  label: string;
  masked: string;
  kinds: AlertKind[];
  enabled: boolean;
  /** Why it was switched off, in words. */
  stoppedBecause: string | null;
  createdAt: Date;
}

/** Something that is wrong now, and since when people know. */
export interface AlertView {
  kind: AlertKind;
  subject: string;
  title: string;
  detail: string;
  /** Below the app's own path. */
  path: string;
  toldAt: Date;
}
