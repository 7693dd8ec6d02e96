import { z } from "zod";
import { PLATFORMS } from "./format";
import { QUOTA_WARN_PERCENT } from "./quota";
import type { WebhookEvent } from "./webhook-events";

const id = z.uuid();
const platform = z.enum(PLATFORMS);
const referrer = { referrer_id: id, referrer_uid: z.string(), metacode: z.string() };
const referral = { referral_id: id, ...referrer };
const waiting = { ...referrer, campaign_id: id, referee_uid: z.string(), platform };
const redemption = z.strictObject({ referral_id: id, ...waiting });
const earnedOn = platform.describe("The platform of the friends; the code may be for the referrer's own.");
const reward = { campaign_id: id, platform: earnedOn, reward_number: z.number().int().positive() };
const pool = { pool_id: id, name: z.string(), platform, use: z.enum(["referee", "reward"]) };
const type = z.enum(["referral", "influencer"]);
const campaign = z.strictObject({ campaign_id: id, name: z.string(), type });

const IDS = {
  campaign_id: "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c01",
  referrer_id: "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c02",
  referral_id: "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c03",
  reward_id: "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c04",
  pool_id: "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c05",
  workspace_id: "0192f0c1-7a10-7c3e-9b1e-2f4d5a6b7c06",
};
const { campaign_id, referrer_id, referral_id, reward_id, pool_id, workspace_id } = IDS;
const ANN = { referrer_id, referrer_uid: "user_ann", metacode: "hmzts85s" };
const redeemed = { referral_id, ...ANN, campaign_id, referee_uid: "user_ben", platform: "ios" };
const earnedReward = z.strictObject({ reward_id: id, ...referrer, ...reward });
const firstReward = { reward_id, ...ANN, campaign_id, platform: "ios", reward_number: 1 };
const launched = { campaign_id, name: "Bring a friend", type: "referral" };

/**
 * `data` of each event of version 1, as a schema and an example. The dashboard, the documentation and the tests, which
 * hold real events against it, all read this one table.
 */
export const WEBHOOK_PAYLOADS = {
  "referrer.created": {
    schema: z.strictObject({ referrer_id: id, uid: z.string(), metacode: z.string() }),
    example: { referrer_id, uid: "user_ann", metacode: "hmzts85s" },
  },
  "referral.clicked": { schema: z.strictObject(referral), example: { referral_id, ...ANN } },
  "referral.code_ready": {
    schema: z.strictObject({ ...waiting, reserved_until: z.iso.datetime({ offset: true }) }),
    example: {
      ...ANN,
      ...{ campaign_id, referee_uid: "user_ben", platform: "ios" },
      reserved_until: "2026-11-23T10:15:00.000Z",
    },
  },
  "referral.code_assigned": { schema: redemption, example: redeemed },
  "referral.redeemed": {
    schema: redemption.extend({
      counts_from: z.iso.datetime({ offset: true }).optional(),
    }),
    example: redeemed,
  },
  "referral.reversed": { schema: redemption, example: redeemed },
  "referral.released": { schema: redemption, example: redeemed },
  "reward.earned": { schema: earnedReward, example: firstReward },
  "reward.claimed": {
    schema: z.strictObject({
      reward_id: id,
      referrer_id: id,
      uid: z.string(),
      metacode: z.string(),
      ...reward,
    }),
    example: {
      reward_id,
      referrer_id,
      uid: "user_ann",
      metacode: "hmzts85s",
      campaign_id,
      platform: "ios",
      reward_number: 1,
    },
  },
  "reward.withdrawn": { schema: earnedReward, example: firstReward },
  "reward.restored": { schema: earnedReward, example: firstReward },
  "pool.low": {
    schema: z.strictObject({
      ...pool,
      free: z.number().int(),
      low_stock: z.number().int(),
    }),
    example: { pool_id, name: "Summer", platform: "ios", use: "referee", free: 42, low_stock: 50 },
  },
  "pool.exhausted": {
    schema: z.strictObject(pool),
    example: { pool_id, name: "Summer", platform: "ios", use: "referee" },
  },
  "campaign.activated": { schema: campaign, example: launched },
  "campaign.ended": { schema: campaign, example: launched },
  "quota.warning": {
    schema: z.strictObject({
      workspace_id: id,
      percent: z.union([z.literal(QUOTA_WARN_PERCENT), z.literal(100)]),
      limit: z.number().int(),
      month: z.iso.date(),
    }),
    example: { workspace_id, percent: QUOTA_WARN_PERCENT, limit: 1_000, month: "2026-11-01" },
  },
  "webhook.test": {
    schema: z.strictObject({ message: z.string() }),
    example: { message: "A test of this endpoint" },
  },
} satisfies Record<WebhookEvent, { schema: z.ZodType; example: Record<string, unknown> }>;

/** `data` of each event. */
export type WebhookData = { [Event in WebhookEvent]: z.infer<(typeof WEBHOOK_PAYLOADS)[Event]["schema"]> };

/** The body of every webhook. */
export const webhookBody = z.strictObject({
  type: z.string(),
  timestamp: z.iso.datetime(),
  version: z.literal("1"),
  data: z.record(z.string(), z.unknown()),
});

/** The whole body of one event, as a receiver gets it. */
export function exampleBody(type: WebhookEvent): Record<string, unknown> {
  return {
    type,
    timestamp: "2026-11-21T10:15:00.000Z",
    version: "1",
    data: WEBHOOK_PAYLOADS[type].example,
  };
}
