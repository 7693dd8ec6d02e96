import { sql } from "drizzle-orm";
import { formatCount, formatDateTime, formatDuration, formatNumber, plural } from "@/lib/contract/format";
import type { EndpointView } from "@/lib/contract/webhook-events";
import type { Fact } from "@/lib/outward/integration/fact";
import { listEndpoints } from "@/lib/outward/webhooks/endpoints";
import { webhookDeliveries } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import type { Context } from "@/lib/tenants/context";

/** Deliveries of an endpoint that the check reads, the newest first. */
const NEWEST = 100;

interface Lag extends Record<string, unknown> {
  delivered: number;
  waiting: number;
  given_up: number;
  /** Milliseconds from the event to the accepted delivery. */
  median: number | null;
  slowest: number | null;
}

/** Each endpoint with the time that its newest deliveries took. */
export async function checkWebhooks(ctx: Context): Promise<Fact[]> {
  const endpoints = await listEndpoints(ctx);
  if (endpoints.length === 0) return [noEndpoint];
  const facts: Fact[] = [];
  for (const endpoint of endpoints) facts.push(ofEndpoint(endpoint, await readLag(ctx, endpoint.id)));
  return facts;
}

const noEndpoint: Fact = {
  topic: "webhooks",
  subject: "none",
  rows: [],
  state: "idle",
  title: "No endpoint",
  evidence: ["Optional: your server can be notified about referrals and rewards."],
  path: "/webhooks",
  action: "Open webhooks",
};

/** The newest deliveries of an endpoint, along webhook_deliveries_endpoint. */
export function newestDeliveries(appId: string, endpointId: string) {
  return sql`
    select status, extract(epoch from delivered_at - created_at) * 1000 as lag from ${webhookDeliveries}
     where app_id = ${appId} and endpoint_id = ${endpointId}
     order by app_id desc, endpoint_id desc, id desc limit ${NEWEST}`;
}

async function readLag({ db, app }: Context, endpointId: string): Promise<Lag> {
  const { rows } = await db.orm.execute<Lag>(sql`
    select count(*) filter (where status = 'delivered')::int as delivered,
           count(*) filter (where status in ('pending', 'failed'))::int as waiting,
           count(*) filter (where status = 'dead')::int as given_up,
           (percentile_disc(0.5) within group (order by lag) filter (where status = 'delivered'))::float8 as median,
           (max(lag) filter (where status = 'delivered'))::float8 as slowest
      from (${newestDeliveries(app.id, endpointId)}) newest`);
  return rows[0] ?? fail("INTERNAL_ERROR");
}

function ofEndpoint({ id, url, enabled, failingSince }: EndpointView, lag: Lag): Fact {
  const { delivered, waiting, given_up: dead } = lag;
  const seen = delivered + waiting + dead;
  const bad = !enabled || failingSince !== null || dead > 0;
  const counted = (count: number, verb: string, verbs: string) =>
    seen < NEWEST
      ? formatCount(count, `delivery ${verb}`, `deliveries ${verbs}`)
      : `${formatNumber(count)} of the last ${formatNumber(NEWEST)} deliveries ${plural(count, verb, verbs)}`;
  const accepted =
    delivered > 0
      ? `: half of them within ${formatDuration(Math.round((lag.median ?? 0) * 1_000))}, all within ${formatDuration(Math.round((lag.slowest ?? 0) * 1_000))}`
      : "";
  return {
    topic: "webhooks",
    subject: id,
    rows: [id],
    state: bad ? "hint" : delivered > 0 ? "good" : "idle",
    title: new URL(url).host,
    evidence: [
      ...(enabled ? [] : ["It is disabled, so nothing is sent."]),
      ...(enabled && failingSince ? [`Nothing has got through since ${formatDateTime(failingSince)}.`] : []),
      seen === 0
        ? "Nothing has been sent yet."
        : `Accepted ${formatNumber(delivered)} of the last ${formatCount(seen, "delivery", "deliveries")}${accepted}.`,
      ...(waiting > 0 ? [`${counted(waiting, "is", "are")} waiting to be sent.`] : []),
      ...(dead > 0 ? [`${counted(dead, "was", "were")} given up and can be resent.`] : []),
    ],
    path: `/webhooks/${id}`,
    action: "Open the endpoint",
  };
}
