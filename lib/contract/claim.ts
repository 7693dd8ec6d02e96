import { z } from "zod";
import { platformField, uidField } from "./fields";

/** Body of `POST /referrer-claim` (4.2). */
export const claimRequest = z.object({ uid: uidField("uid") });

const claimedReward = z.object({
  reward_id: z.uuid(),
  platform: platformField,
  code: z.string(),
  reward_number: z.number().int(),
  instructions: z.string(),
  store_url: z.url(),
});

/** Answer of `POST /referrer-claim`. */
export const claimResponse = z.object({
  message: z.string(),
  claimed_rewards: z.array(claimedReward),
});

export type ClaimedReward = z.output<typeof claimedReward>;
export type ClaimResponse = z.output<typeof claimResponse>;
