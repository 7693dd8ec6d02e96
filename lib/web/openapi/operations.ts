import { z } from "zod";
import { claimedReward } from "@/lib/contract/claim";
import { redeemResponse } from "@/lib/contract/redeem";
import { deliveriesRequest, webhookRequest, webhooksRequest } from "@/lib/contract/webhooks";
import { CLAIM, DELIVERY, REDEMPTION, REFERRER, WEBHOOK } from "@/lib/web/openapi/examples";
import { bodyRefusals, keyRefusals, type Operation, serverRefusals } from "@/lib/web/openapi/operation";

/** The three endpoints of an app: section 4 of the specification. */
const REFERRALS: Operation[] = [
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
      "Returns one promo code for each reward that is earned and not yet claimed. Rewards without a free code stay available. (+) One call claims at most 500; the rest stay available for the next. Where the campaign pays rewards on the referrer's own platform, `platform` names it. Call it when the user taps a button, never automatically.",
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
        "(+) The rewards claimed within the app's retry window, for a client that lost the response: the newest 2,000, and all that were claimed together with the oldest of them.",
    },
  },
  {
    id: "redeemMetacode",
    method: "post",
    path: "/referee-redeem",
    tag: "Referrals",
    summary: "Redeem a metacode",
    description:
      "Assigns the referee one promo code for the platform's store and records the referral. Each referee gets one code per campaign. (+) An app may hold redemptions beyond its limits for review: they get the same response as for an empty pool, until a member has approved them. Send an `Idempotency-Key`, so that you can retry when the response is lost.",
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
      codes: [
        "ALREADY_REDEEMED",
        "METACODE_NOT_FOUND",
        "CAMPAIGN_INACTIVE",
        "CONFLICT",
        "RATE_LIMITED",
        "NO_CODES_AVAILABLE",
      ],
      name: "redemption",
      schema: redeemResponse,
      description:
        "(+) The code assigned within the app's retry window, if the request is the same and the referral is not yet confirmed.",
    },
  },
];

const READ = {
  method: "get",
  tag: "Webhooks",
  scope: "webhook:read",
  refusals: { ...serverRefusals("GET"), ...keyRefusals("webhook:read") },
} as const;

const NO_ENDPOINT = { NOT_FOUND: "There is no such webhook endpoint" };

const WEBHOOKS: Operation[] = [
  {
    ...READ,
    id: "listWebhooks",
    path: "/webhooks",
    summary: "List webhook endpoints",
    description: "The app's webhook endpoints, newest first, without their secrets.",
    parameters: webhooksRequest,
    answer: {
      schema: "WebhookList",
      description: "All endpoints.",
      example: { data: [WEBHOOK], next_cursor: null },
    },
  },
  {
    ...READ,
    id: "getWebhook",
    path: "/webhooks/{id}",
    summary: "Get a webhook endpoint",
    description: "One webhook endpoint of the app, without its secret.",
    parameters: webhookRequest,
    answer: { schema: "Webhook", description: "The endpoint.", example: WEBHOOK },
    refusals: { ...READ.refusals, ...NO_ENDPOINT },
  },
  {
    ...READ,
    id: "listDeliveries",
    path: "/webhooks/{id}/deliveries",
    summary: "List deliveries",
    description: "The deliveries to an endpoint, newest first.",
    parameters: deliveriesRequest,
    answer: {
      schema: "DeliveryList",
      description: "A page of deliveries.",
      example: { data: [DELIVERY], next_cursor: null },
    },
    refusals: {
      ...READ.refusals,
      ...NO_ENDPOINT,
      VALIDATION_ERROR: "limit must be a whole number from 1 to 100",
    },
  },
];

const PROVIDER: Operation = {
  id: "receiveConfirmation",
  method: "post",
  path: "/providers/{provider}/{connectionId}",
  tag: "Providers",
  summary: "Confirm a purchase",
  description:
    "Subscription providers report purchases and refunds here. Each authenticates in its own way, never with an API key. Your own server sends one of the events below to the provider `generic`, signed according to Standard Webhooks. Repeating an event changes nothing. Event types that have no meaning here get a 200.",
  body: {
    schemas: ["PurchaseEvent", "IdentityLinkedEvent"],
    example: { type: "referral.confirm", app_user_id: "user-77", environment: "production" },
  },
  answer: {
    schema: "Confirmation",
    description: "The event is stored.",
    example: { status: "confirmed", matched: true },
  },
  refusals: {
    ...serverRefusals("POST"),
    ...bodyRefusals("type"),
    VALIDATION_ERROR: "The request body must be a JSON object",
    UNAUTHORIZED: "The webhook signature is missing, wrong or older than five minutes",
    NOT_FOUND: "There is no such provider connection",
    PAYLOAD_TOO_LARGE: "The request body must be at most 262144 bytes",
    RATE_LIMITED: "Too many requests without valid credentials from this address",
    INTERNAL_ERROR: "An unexpected error occurred",
  },
};

const HEALTH: Operation = {
  id: "checkHealth",
  method: "get",
  path: "/health",
  tag: "Service",
  summary: "Check the health of the service",
  description:
    "For monitoring. Answers 503 in the same cases as `ready`. The status is `degraded`, still with a 200 because the rest still works, when:\n\n- webhooks, emails, alerts or other background work have been due for more than a minute,\n- the database answers but refuses writes, because its disk is full or it is read-only,\n- the machine's clock differs from the database's by a minute or more, or\n- no key of the process opens some of the stored secrets in use.",
  answer: { schema: "Health", description: "Healthy, or degraded.", example: { status: "ok" } },
  refusals: { ...serverRefusals("GET"), INTERNAL_ERROR: "An unexpected error occurred" },
};

const READY: Operation = {
  ...HEALTH,
  id: "checkReadiness",
  path: "/ready",
  summary: "Check whether a process is ready",
  description:
    "For load balancers: 503 while the process is starting or shutting down, or the database is unavailable; with `?database=ignore` the database does not matter.",
  answer: { schema: "Ready", description: "Ready.", example: { status: "ok" } },
  refusals: serverRefusals("GET"),
};

const { SERVICE_UNAVAILABLE: _, ...STEADY } = serverRefusals("GET");

const LIVE: Operation = {
  ...HEALTH,
  id: "checkLife",
  path: "/live",
  summary: "Check whether a process is alive",
  description:
    "For orchestrators that restart a process that does not respond: 200 as long as the process responds at all, even while the database is unavailable.",
  answer: { schema: "Ready", description: "Alive.", example: { status: "ok" } },
  refusals: STEADY,
};

/** Every operation below `/api`, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [...REFERRALS, ...WEBHOOKS, PROVIDER, HEALTH, READY, LIVE];
