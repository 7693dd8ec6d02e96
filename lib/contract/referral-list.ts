import { z } from "zod";
import { listCursor } from "./cursor";
import type { Platform } from "./fields";
import { uuidField } from "./uuid";

const REFERRAL_STATUSES = ["clicked", "code_assigned", "redeemed", "reversed"] as const;

export type ReferralStatus = (typeof REFERRAL_STATUSES)[number];

/** Days that the list's choices of time mean. */
export const PERIODS = { "1d": 1, "7d": 7, "30d": 30, "90d": 90 } as const;

type Period = keyof typeof PERIODS;

const day = z.iso.date().optional().catch(undefined);
const id = uuidField("id").optional().catch(undefined);

/** Text that somebody looks for; anything unusable is nothing. */
export const searchText = z
  .string()
  .trim()
  .min(1)
  .max(510)
  .refine((text) => !text.includes("\0") && text.isWellFormed())
  .optional()
  .catch(undefined);

/** The address of the list of referrals. What cannot be read is left out, so that an old link still opens. */
export const referralFilters = z.object({
  q: searchText,
  status: z.enum(REFERRAL_STATUSES).optional().catch(undefined),
  platform: z.enum(["ios", "android"]).optional().catch(undefined),
  campaign: id,
  referrer: id,
  period: z
    .enum([...(Object.keys(PERIODS) as [Period]), "custom"])
    .optional()
    .catch(undefined),
  /** First and last day, UTC, of the period `custom`. */
  from: day,
  to: day,
  cursor: listCursor,
});

export type ReferralFilters = z.output<typeof referralFilters>;

/** The referrer of a referral as a list shows it. */
export interface ReferrerLabel {
  id: string;
  /** The name to be seen under; null where the app sent none. */
  name: string | null;
  metacode: string;
}

/** A line of the list of referrals. A click has neither referee nor platform. */
export interface ReferralRow {
  id: string;
  status: ReferralStatus;
  refereeUid: string | null;
  platform: Platform | null;
  referrer: ReferrerLabel | null;
  campaign: string | null;
  /** All but the end is hidden. */
  code: string | null;
  createdAt: Date;
  confirmedAt: Date | null;
  reversedAt: Date | null;
}
