import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import { exampleBody } from "@/lib/contract/webhook-payloads";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "@/lib/db/schema";
import { makeWebhookSecret } from "@/lib/webhooks/secret";

const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * HOUR);

const ON = { enabled: true, disabledReason: null, disabledAt: null } as const;
const OFF = { enabled: false, disabledAt: at(-20) } as const;

/** An endpoint of every state; the last of them is the newest, and stands first in its room. */
const ENDPOINTS: readonly (Partial<typeof webhookEndpoints.$inferInsert> & { url: string })[] = [
  { url: "https://old.acme.com/hooks", ...OFF, disabledReason: "owner" },
  { url: "https://gone.acme.com/hooks", ...OFF, disabledReason: "gone" },
  {
    url: "https://crm.acme.com/a/very/long/path/that/somebody/needs/for/reasons/of/their/own/hooks",
    ...{ ...OFF, disabledReason: "failing", description: "The sales team's CRM", failingSince: at(-140) },
  },
  {
    ...{ url: "https://slow.acme.com/hooks", ...ON, description: "Warehouse" },
    ...{ failures: 7, failingSince: at(-50), slowedUntil: at(2), warnedAt: at(-26) },
  },
  { url: "https://api.acme.com/hooks", ...ON, description: "Our back end" },
];

/** What became of some deliveries: the event, its state, and what each attempt was answered. */
const DELIVERIES = [
  ["referral.redeemed", "dead", [500, 500, 502, null, null, 503, 503, 503]],
  ["pool.low", "delivered", [200]],
  ["reward.claimed", "pending", []],
  ["referral.code_assigned", "delivered", [503, 204]],
  ["reward.earned", "failed", [301, null]],
] as const;

/** The room of webhooks with endpoints and deliveries of every state. Returns the addresses worth a look. */
export async function fillWebhooks(ctx: Context): Promise<string[]> {
  const { orm } = ctx.db;
  const appId = ctx.app.id;
  const endpoints = ENDPOINTS.map((one) => ({
    ...{ events: ["referral.redeemed", "reward.earned"], ...one },
    ...{ appId, id: uuidv7(), secret: makeWebhookSecret(), createdAt: at(-400) },
  }));
  const deliveries = endpoints
    .slice(-2)
    .flatMap(({ id }) => DELIVERIES.map((one) => delivery(appId, id, one)));
  await orm.insert(webhookEndpoints).values(endpoints);
  await orm.insert(webhookDeliveries).values(deliveries.map(({ row }) => row));
  await orm.insert(webhookAttempts).values(deliveries.flatMap(({ attempts }) => attempts));
  const opened = deliveries
    .slice(0, DELIVERIES.length)
    .map(({ row }) => `${row.endpointId}?delivery=${row.id}`);
  const rooms = [...endpoints.map(({ id }) => id), ...opened];
  return rooms.map((room) => `/dashboard/apps/${appId}/webhooks/${room}`);
}

function delivery(appId: string, endpointId: string, [type, status, answers]: (typeof DELIVERIES)[number]) {
  const id = uuidv7();
  const tried = answers.map((responseStatus, index) => ({
    ...{
      appId,
      deliveryId: id,
      number: index + 1,
      createdAt: at(index - 9),
      ms: responseStatus ? 184 : 10_000,
    },
    ...{ responseStatus, requestHeaders: { "webhook-id": id, "webhook-timestamp": "1790000000" } },
    ...(responseStatus && { responseHeaders: { "content-type": "text/plain" }, responseBody: "Answered." }),
    error: responseStatus === null ? "No answer within 10 seconds" : complaint(responseStatus),
  }));
  const row = {
    ...{ appId, id, endpointId, eventId: uuidv7(), eventType: type, status, attempts: answers.length },
    ...{ payload: exampleBody(type).data, lane: id, responseStatus: answers.at(-1) ?? null },
    ...{ createdAt: at(-9), deliveredAt: status === "delivered" ? at(-8) : null },
    ...(["failed", "pending"].includes(status) && { dueAt: at(3), wakeAt: at(3) }),
  };
  return { row, attempts: tried };
}

const complaint = (status: number) => (status < 300 ? null : `Answered ${status}`);
