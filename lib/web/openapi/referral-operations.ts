import { z } from "zod";
import { claimedReward } from "@/lib/contract/claim";
import { redeemResponse } from "@/lib/contract/redeem";
import { CLAIM, REDEMPTION, REFERRER } from "./examples";
import { bodyRefusals, keyRefusals, type Operation, serverRefusals } from "./operation";

/** The three endpoints of an app: section 4 of the specification. */
export const REFERRALS: Operation[] = [
  {
    id: "getOrCreateReferrer",
    method: "post",
    path: "/referrer",
    tag: "Referrals",
    summary: "Get or create a referrer",
    description:
      "Returns the metacode, the referral link and the progress towards the next reward for the user of this `uid`. The first call creates the referrer; later calls return the same metacode. A key without the scope `referrer:write` reads existing referrers only (403 for a new one).",
    scope: "referrer:read",
    body: {
      schemas: ["ReferrerRequest"],
      example: { uid: "user-42", metadata: { name: "Ann" } },
    },
    answer: { schema: "Referrer", description: "The referrer, new or not.", example: REFERRER },
    refusals: { ...serverRefusals("POST"), ...keyRefusals("referrer:read"), ...bodyRefusals("uid") },
  },
  {
    id: "claimRewards",
    method: "post",
    path: "/referrer-claim",
    tag: "Referrals",
    summary: "Claim rewards",
    description:
      "Returns one promo code for each reward that is earned and not yet claimed. Rewards without a free code stay available. Where the campaign pays rewards on the referrer's own platform, `platform` names it. Call it when the user taps a button, never automatically.",
    scope: "reward:claim",
    idempotent: true,
    body: { schemas: ["ClaimRequest"], example: { uid: "user-42" } },
    answer: { schema: "Claim", description: "The claimed rewards with their codes.", example: CLAIM },
    refusals: {
      ...serverRefusals("POST"),
      ...keyRefusals("reward:claim"),
      ...bodyRefusals("uid"),
      NOT_FOUND: "No referrer exists for this uid",
      NO_REWARDS_AVAILABLE: "No rewards available to claim",
      CONFLICT: "This Idempotency-Key was used with another request body",
      NO_CODES_AVAILABLE: "No promo codes are available right now, try again later",
    },
    extra: {
      codes: ["NO_REWARDS_AVAILABLE", "NO_CODES_AVAILABLE"],
      name: "recent_claims",
      schema: z.array(claimedReward),
      description:
        "(+) The rewards claimed within the app's retry window, for a client that lost the response.",
    },
  },
  {
    id: "redeemMetacode",
    method: "post",
    path: "/referee-redeem",
    tag: "Referrals",
    summary: "Redeem a metacode",
    description:
      "Assigns the referee one promo code for the platform's store and records the referral. Each referee gets one code per campaign. Send an `Idempotency-Key`, so that you can retry when the response is lost.",
    scope: "referee:redeem",
    idempotent: true,
    body: {
      schemas: ["RedeemRequest"],
      example: { referee_uid: "user-77", metacode: "test123", platform: "ios" },
    },
    answer: { schema: "Redemption", description: "The referee's code.", example: REDEMPTION },
    refusals: {
      ...serverRefusals("POST"),
      ...keyRefusals("referee:redeem"),
      ...bodyRefusals("referee_uid"),
      METACODE_NOT_FOUND: "The metacode is invalid or has expired",
      ALREADY_REDEEMED: "This referee has already redeemed a code for this campaign",
      CAMPAIGN_INACTIVE: "This referral campaign is no longer active",
      CONFLICT: "Referrers cannot redeem their own metacode",
      NO_CODES_AVAILABLE: "No promo codes are available right now, try again later",
    },
    extra: {
      codes: ["ALREADY_REDEEMED", "METACODE_NOT_FOUND", "CAMPAIGN_INACTIVE"],
      name: "redemption",
      schema: redeemResponse,
      description:
        "(+) The code assigned within the app's retry window, if the request is the same and the referral is not yet confirmed.",
    },
  },
];
