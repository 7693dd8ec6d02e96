import { z } from "zod";
import { listCursor } from "./cursor";
import { searchText } from "./referral-list";
import { uuidField } from "./uuid";

export const REFERRER_STATUSES = ["active", "paused", "ended"] as const;

export type ReferrerStatus = (typeof REFERRER_STATUSES)[number];

/** The address of the list of referrers. What cannot be read is left out, so that an old link still opens. */
export const referrerFilters = z.object({
  q: searchText,
  status: z.enum(REFERRER_STATUSES).optional().catch(undefined),
  /** An influencer campaign, or `none`: those who follow the app's referral campaign. */
  campaign: z
    .union([z.literal("none"), uuidField("campaign")])
    .optional()
    .catch(undefined),
  cursor: listCursor,
});

export type ReferrerFilters = z.output<typeof referrerFilters>;

/** A line of the list of referrers; counts are over all campaigns and platforms. */
export interface ReferrerRow {
  id: string;
  uid: string;
  name: string | null;
  metacode: string;
  status: ReferrerStatus;
  /** Null for those who follow the app's referral campaign. */
  campaign: string | null;
  confirmed: number;
  earned: number;
  claimed: number;
  createdAt: Date;
}
