import { z } from "zod";
import type { referrals } from "@/lib/platform/db/schema";
import { daysInOrder, listCursor, listDay, type Platform, uuidField } from "./fields";
import { PLATFORMS } from "./format";

const REFERRAL_STATUSES = ["clicked", "code_assigned", "redeemed", "reversed"] as const;

export type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

export type Referral = typeof referrals.$inferSelect;

/** A referral's status as pages show it: a reversed referral is no longer `redeemed`. */
export function referralStatusOf({ status, reversedAt }: Referral): ReferralStatus {
  return reversedAt ? "reversed" : status;
}

/** The time from which a confirmed referral counts, while it is held; null for one that counts or was reversed. */
export function heldUntil({ held, reversedAt, countsFrom }: Referral): Date | null {
  return held && !reversedAt ? countsFrom : null;
}

/** Days of each period that the list offers. */
export const REFERRAL_PERIODS = { "1d": 1, "7d": 7, "30d": 30, "90d": 90 } as const;

type Period = keyof typeof REFERRAL_PERIODS;

const id = uuidField("id").optional().catch(undefined);

/** The text of a search; unusable text counts as none. */
export const searchText = z
  .string()
  .trim()
  .min(1)
  .max(510)
  .refine((text) => !text.includes("\0") && text.isWellFormed())
  .optional()
  .catch(undefined);

/** The query of the list of referrals. Unreadable parts are dropped, so that an old link still opens. */
export const referralQuery = z
  .object({
    q: searchText,
    status: z.enum(REFERRAL_STATUSES).optional().catch(undefined),
    platform: z.enum(PLATFORMS).optional().catch(undefined),
    campaign: id,
    referrer: id,
    period: z
      .enum([...(Object.keys(REFERRAL_PERIODS) as [Period]), "custom"])
      .optional()
      .catch(undefined),
    /** First and last day, UTC, of the period `custom`. */
    from: listDay,
    to: listDay,
    cursor: listCursor,
  })
  .transform(daysInOrder);

export type ReferralQuery = z.output<typeof referralQuery>;

/** The query of the list of redemptions beyond a limit. */
export const reviewQuery = z.object({
  state: z.literal("dismissed").optional().catch(undefined),
  /** The beginning of a referee's uid. */
  q: searchText,
  cursor: listCursor,
});

export type ReviewQuery = z.output<typeof reviewQuery>;

/** The limits beyond which redemptions are held. */
export const BEYOND_LABELS = {
  referrer_daily_cap: "Codes per referrer in 24 hours",
  codes_per_address: "Codes per address in 24 hours",
} as const;

/** A redemption beyond a limit, which a member approves or dismisses. */
export interface ReviewRow {
  id: string;
  refereeUid: string;
  platform: Platform;
  beyond: keyof typeof BEYOND_LABELS;
  referrer: ReferrerLabel | null;
  campaign: string | null;
  createdAt: Date;
}

/** The referrer of a referral as a list shows it. */
export interface ReferrerLabel {
  id: string;
  /** The display name; null where the app sent none. */
  name: string | null;
  metacode: string;
}

/** The referrer whose metacode was probably meant, and how the typed text differs: by one character, or in its look. */
export interface NearestMetacode extends ReferrerLabel {
  by: "edit" | "look";
  /** Why the metacode that was meant is refused as well. */
  closed?: "paused" | "ended" | undefined;
}

/** A row of the list of referrals. A click has neither referee nor platform. */
export interface ReferralRow {
  id: string;
  status: ReferralStatus;
  refereeUid: string | null;
  platform: Platform | null;
  referrer: ReferrerLabel | null;
  campaign: string | null;
  /** Masked except for its end. */
  code: string | null;
  createdAt: Date;
  confirmedAt: Date | null;
  /** See {@link heldUntil}. */
  heldUntil: Date | null;
  reversedAt: Date | null;
}
