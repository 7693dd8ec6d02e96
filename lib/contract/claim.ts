import { z } from "zod";
import { platformField, uidField } from "./fields";

/** Body of `POST /referrer-claim` (4.2). */
export const claimRequest = z.object({
  uid: uidField("uid"),
  // It only chooses between two codes, so an invalid value never refuses a reward.
  platform: platformField.optional().catch(undefined).meta({
    description:
      "(+) The platform of the referrer's phone, `ios` or `android`, for campaigns that pay rewards on the referrer's own platform. Takes precedence over `metadata.platform` of the referrer.",
  }),
});

/** One reward with its code. */
export const claimedReward = z.object({
  reward_id: z.uuid(),
  platform: platformField,
  code: z.string().meta({ description: "The promo code to redeem in the store." }),
  reward_number: z.int().meta({
    description:
      "Counts from 1 in each campaign, for each platform of the friends who earned it. Where a campaign pays on the referrer's own platform, two rewards can have the same `platform` and number: tell them apart by `reward_id`.",
  }),
  instructions: z.string().meta({ description: "How to redeem it, for the referrer to read." }),
  store_url: z.url().meta({ description: "The store's page where the code is redeemed." }),
});

/** Answer of `POST /referrer-claim`. */
export const claimResponse = z.object({
  message: z
    .string()
    .meta({ description: "How many rewards were claimed, and how many are waiting for codes." }),
  claimed_rewards: z.array(claimedReward),
});

export type ClaimedReward = z.output<typeof claimedReward>;
export type ClaimResponse = z.output<typeof claimResponse>;
