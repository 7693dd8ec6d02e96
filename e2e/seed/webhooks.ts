import { uuidv7 } from "uuidv7";
import { exampleBody } from "@/lib/contract/webhook-payloads";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import { generateWebhookSecret } from "@/lib/platform/secrets/random-token";
import type { Context } from "@/lib/tenants/context";

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR);

const ON = { enabled: true, disabledReason: null, disabledAt: null } as const;
const OFF = { enabled: false, disabledAt: at(-20) } as const;

/** An endpoint in every state; the last is the newest and first in the list. */
const ENDPOINTS: readonly (Partial<typeof webhookEndpoints.$inferInsert> & { url: string })[] = [
  { url: "https://old.acme.com/hooks", ...OFF, disabledReason: "owner" },
  { url: "https://gone.acme.com/hooks", ...OFF, disabledReason: "gone" },
  {
    url: "https://crm.acme.com/a/very/long/path/that/a/tenant/needs/for/reasons/of/their/own/hooks",
    ...OFF,
    disabledReason: "failing",
    description: "The sales team's CRM",
    failingSince: at(-140),
  },
  {
    url: "https://slow.acme.com/hooks",
    ...ON,
    description: "Warehouse",
    failures: 7,
    failingSince: at(-50),
    slowedUntil: at(2),
    warnedAt: at(-26),
  },
  { url: "https://api.acme.com/hooks", ...ON, description: "Our back end" },
];

/** Deliveries: the event, its state, and the status that answered each attempt. */
const DELIVERIES = [
  ["referral.redeemed", "dead", [500, 500, 502, null, null, 503, 503, 503]],
  ["pool.low", "delivered", [200]],
  ["reward.claimed", "pending", []],
  ["referral.code_assigned", "delivered", [503, 204]],
  ["reward.earned", "failed", [301, null]],
] as const;

/** Creates endpoints and deliveries in every state; returns the paths of their pages. */
export async function seedWebhooks(ctx: Context): Promise<string[]> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  const endpoints = ENDPOINTS.map((endpoint) => ({
    events: ["referral.redeemed", "reward.earned"],
    ...endpoint,
    appId,
    id: uuidv7(),
    secret: generateWebhookSecret(),
    createdAt: at(-400),
  }));
  const deliveries = endpoints
    .slice(-2)
    .flatMap(({ id }) => DELIVERIES.map((example) => delivery(appId, id, example)));
  await orm.insert(webhookEndpoints).values(endpoints);
  await orm.insert(webhookDeliveries).values(deliveries.map(({ row }) => row));
  await orm.insert(webhookAttempts).values(deliveries.flatMap(({ attempts }) => attempts));
  const opened = deliveries
    .slice(0, DELIVERIES.length)
    .map(({ row }) => `${row.endpointId}?delivery=${row.id}`);
  const pages = [...endpoints.map(({ id }) => id), ...opened];
  return pages.map((page) => `/dashboard/apps/${appId}/webhooks/${page}`);
}

function delivery(appId: string, endpointId: string, [type, status, answers]: (typeof DELIVERIES)[number]) {
  const id = uuidv7();
  const attempts = answers.map((responseStatus, index) => ({
    appId,
    deliveryId: id,
    number: index + 1,
    createdAt: at(index - 9),
    ms: responseStatus ? 184 : 10_000,
    responseStatus,
    requestHeaders: { "webhook-id": id, "webhook-timestamp": "1790000000" },
    ...(responseStatus && { responseHeaders: { "content-type": "text/plain" }, responseBody: "Answered." }),
    error: responseStatus === null ? "No answer within 10 seconds" : complaint(responseStatus),
  }));
  const row = {
    appId,
    id,
    endpointId,
    eventId: uuidv7(),
    eventType: type,
    status,
    attempts: answers.length,
    payload: exampleBody(type).data,
    orderKey: id,
    responseStatus: answers.at(-1) ?? null,
    createdAt: at(-9),
    deliveredAt: status === "delivered" ? at(-8) : null,
    ...(["failed", "pending"].includes(status) && { dueAt: at(3), wakeAt: at(3) }),
  };
  return { row, attempts };
}

const complaint = (status: number) => (status < 300 ? null : `Returned ${status}`);
