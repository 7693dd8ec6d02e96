import { deliveriesRequest, webhookRequest, webhooksRequest } from "@/lib/contract/webhooks";
import { DELIVERY, WEBHOOK } from "./examples";
import { bodyRefusals, keyRefusals, type Operation, serverRefusals } from "./operation";
import { REFERRALS } from "./referral-operations";

const READ = {
  method: "get",
  tag: "Webhooks",
  scope: "webhook:read",
  refusals: { ...serverRefusals("GET"), ...keyRefusals("webhook:read") },
} as const;

const NO_ENDPOINT = { NOT_FOUND: "No webhook endpoint has this id" };

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
    "Subscription providers report purchases and refunds here. Each proves itself in its own way, never by an API key: subscription services send their own events with their own signature; your own server sends one of the events below to the provider `generic`, signed as Standard Webhooks. Repeating an event changes nothing. Event types without a meaning here are answered with 200.",
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
    NOT_FOUND: "No provider connection at this address",
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
    "For monitoring: 503 like `ready`, and the status `degraded` where webhooks, emails, alerts or other background work have been due for more than a minute. That is still a 200, because the API works and another process would be no healthier.",
  answer: { schema: "Health", description: "Healthy, or degraded.", example: { status: "ok" } },
  refusals: { ...serverRefusals("GET"), INTERNAL_ERROR: "An unexpected error occurred" },
};

const READY: Operation = {
  ...HEALTH,
  id: "checkReadiness",
  path: "/ready",
  summary: "Check whether a process is ready",
  description:
    "For load balancers: 503 while the process is starting or shutting down, or the database is unavailable.",
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
    "For orchestrators that restart what does not answer: 200 as long as the process answers at all, also while the database is unavailable.",
  answer: { schema: "Ready", description: "Alive.", example: { status: "ok" } },
  refusals: STEADY,
};

/** Every operation below `/api`, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [...REFERRALS, ...WEBHOOKS, PROVIDER, HEALTH, READY, LIVE];
