import { z } from "zod";
import { uidField } from "./fields";
import { metadataField } from "./metadata";

/** Body of `POST /referrer` (4.1). */
export const referrerRequest = z.object({
  uid: uidField("uid"),
  metadata: metadataField.optional(),
});

const progress = z.object({
  current: z.number().int(),
  threshold: z.number().int(),
  next_reward_at: z.number().int(),
  percentage: z.number().int().min(0).max(100),
});

/** Answer of `POST /referrer`. */
export const referrerResponse = z.object({
  referrer_id: z.uuid(),
  referral_link: z.url(),
  referrer_slug: z.string(),
  metacode: z.string(),
  status: z.enum(["active", "paused", "ended"]),
  stats: z.object({
    referrals_count: z.number().int(),
    rewards_earned: z.number().int(),
    rewards_available: z.number().int(),
  }),
  progress: z.object({ ios: progress, android: progress }),
});

export type ReferrerResponse = z.output<typeof referrerResponse>;
