import type { ClaimResponse } from "@/lib/contract/claim";
import type { RedeemResponse } from "@/lib/contract/redeem";
import type { ReferrerResponse } from "@/lib/contract/referrer";
import type { DeliveryResponse, WebhookResponse } from "@/lib/contract/webhooks";

const redeemAt = (code: string) => `https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=${code}`;

const INSTRUCTIONS =
  "Open the link, or go to the App Store, tap your profile picture, choose Redeem Gift Card or Code and enter the code.";

export const REFERRER = {
  referrer_id: "019aa3c2-7d11-7c52-9d36-5f1a0c9be2f4",
  referral_link: "https://metacode.example.com/r/hmzts85s",
  referrer_slug: "hmzts85s",
  metacode: "hmzts85s",
  status: "active",
  stats: { referrals_count: 3, rewards_earned: 0, rewards_available: 0 },
  progress: {
    ios: { current: 3, threshold: 5, next_reward_at: 5, percentage: 60 },
    android: { current: 0, threshold: 5, next_reward_at: 5, percentage: 0 },
  },
} satisfies ReferrerResponse;

export const CLAIM = {
  message: "Successfully claimed 1 reward",
  claimed_rewards: [
    {
      reward_id: "019aa3d0-1be4-7d0c-8f6d-3f4b8b1f7a10",
      platform: "ios",
      code: "R3WARDR3WARDR3WARD",
      reward_number: 1,
      instructions: INSTRUCTIONS,
      store_url: redeemAt("R3WARDR3WARDR3WARD"),
    },
  ],
} satisfies ClaimResponse;

export const REDEMPTION = {
  code: "V6VMMS4GV9QS9HNVM4",
  platform: "ios",
  instructions: INSTRUCTIONS,
  store_url: redeemAt("V6VMMS4GV9QS9HNVM4"),
  referrer_info: { message: "You were referred by Ann" },
} satisfies RedeemResponse;

export const WEBHOOK = {
  id: "019aa3e4-52c8-7a6e-b1c3-0d9c8f7e6a55",
  url: "https://example.com/metacode",
  events: ["referral.redeemed", "reward.earned"],
  enabled: true,
  created_at: "2026-11-21T09:30:00.000Z",
} satisfies WebhookResponse;

export const DELIVERY = {
  id: "019aa3f0-9b60-7f4d-a2b1-6c5d4e3f2a11",
  event_id: "019aa3f0-9b5e-7c3a-9e8d-1a2b3c4d5e6f",
  event_type: "referral.redeemed",
  status: "delivered",
  attempts: 1,
  response_status: 204,
  created_at: "2026-11-21T09:31:00.000Z",
  delivered_at: "2026-11-21T09:31:00.412Z",
} satisfies DeliveryResponse;
