import { z } from "zod";
import { uidField } from "./fields";
import { metadataField } from "./metadata";

/** Body of `POST /referrer` (4.1). */
export const referrerRequest = z.object({
  uid: uidField("uid"),
  metadata: metadataField.optional(),
});

/** The progress of a referrer on one platform. */
export const platformProgress = z.object({
  current: z.int().meta({ description: "Confirmed referrals on this platform in the current campaign." }),
  threshold: z.int().meta({ description: "Confirmed referrals for each reward; 0 without a campaign." }),
  next_reward_at: z.int().meta({
    description: "The total that earns the next reward. It stops rising at the maximum number of rewards.",
  }),
  percentage: z
    .int()
    .min(0)
    .max(100)
    .meta({ description: "Progress from the previous reward to the next one." }),
});

/** The counts of a referrer over all campaigns. */
export const referrerCounts = z.object({
  referrals_count: z
    .int()
    .meta({ description: "Confirmed referrals that were not refunded and are not held." }),
  referrals_held: z.int().optional().meta({
    description:
      "(+) Confirmed referrals that do not count yet: the campaign holds them for some days; absent if none.",
  }),
  rewards_earned: z.int().meta({ description: "All rewards ever earned; never decreases." }),
  rewards_available: z
    .int()
    .meta({ description: "(+) Earned, not yet claimed and not withdrawn: show a claim button above 0." }),
  rewards_waiting: z.int().optional().meta({
    description: "(+) How many of the available rewards a claim would find no code for now; absent if none.",
  }),
});

/** Answer of `POST /referrer`. */
export const referrerResponse = z.object({
  referrer_id: z.uuid(),
  referral_link: z.url().meta({ description: "The link to share; it opens the landing page." }),
  referrer_slug: z.string().meta({ description: "The last part of the link, unique everywhere." }),
  metacode: z
    .string()
    .meta({ description: "The code that a referee types into your app; equals `referrer_slug`." }),
  status: z
    .enum(["active", "paused", "ended"])
    .meta({ description: "The referrer's own status, or the campaign's if that is paused or ended." }),
  stats: referrerCounts,
  progress: z.object({ ios: platformProgress, android: platformProgress }),
});

export type ReferrerResponse = z.output<typeof referrerResponse>;
