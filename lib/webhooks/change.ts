import { sql } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { GRACE_SECONDS, type Grace } from "@/lib/contract/grace";
import type { EndpointView } from "@/lib/contract/webhook-events";
import type { Db } from "@/lib/db/client";
import { webhookEndpoints } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { parseInput } from "@/lib/parse-input";
import { endpointSubject, getEndpoint, ownEndpoint, VIEW_COLUMNS } from "@/lib/webhooks/endpoint";
import { type EndpointInput, endpointInput } from "@/lib/webhooks/input";
import { SCHEDULE } from "@/lib/webhooks/schedule";
import { makeWebhookSecret } from "@/lib/webhooks/secret";

/** Changes where events are sent, and which. Throws VALIDATION_ERROR and NOT_FOUND. */
export async function updateEndpoint(ctx: Context, id: string, input: EndpointInput): Promise<EndpointView> {
  const { description, ...rest } = parseInput(endpointInput, input);
  const before = await getEndpoint(ctx, id);
  const values = { ...rest, description: description || null };
  return change(ctx, id, values, {
    action: "webhook.changed",
    before: { host: new URL(before.url).host, events: before.events },
    after: { host: new URL(rest.url).host, events: rest.events },
  });
}

const HEALTHY = { failures: 0, failingSince: null, slowedUntil: null, warnedAt: null };

/**
 * Whether events are sent to it. Those of the time in which it was off are not sent later; those that waited when it
 * was switched off go on.
 */
export async function setEndpointEnabled(ctx: Context, id: string, enabled: boolean): Promise<EndpointView> {
  await getEndpoint(ctx, id);
  if (!enabled) {
    const off = { enabled, disabledReason: "owner", disabledAt: sql`now()` };
    return change(ctx, id, off, { action: "webhook.disabled" });
  }
  const on = { enabled, ...HEALTHY, disabledReason: null, disabledAt: null };
  const endpoint = await change(ctx, id, on, { action: "webhook.enabled" });
  // After that is committed: whoever finishes a delivery locks it before its endpoint. Others follow these two.
  await ctx.db.call("wake_webhooks", [ctx.app.id, id, 2, SCHEDULE.grace]);
  return endpoint;
}

/** A new secret. Until `grace` is over a delivery carries two signatures, one by each. */
export async function rotateEndpointSecret(
  ctx: Context,
  id: string,
  grace: Grace,
): Promise<{ id: string; secret: string }> {
  await getEndpoint(ctx, id);
  const secret = makeWebhookSecret();
  const former = {
    formerSecret: webhookEndpoints.secret,
    formerUntil: sql`now() + make_interval(secs => ${GRACE_SECONDS[grace]})`,
  };
  const none = { formerSecret: null, formerUntil: null };
  const values = { secret, ...(grace === "now" ? none : former) };
  await change(ctx, id, values, { action: "webhook.secret_changed", after: { oldSecretSignsFor: grace } });
  return { id, secret };
}

/** Takes an endpoint away for good. Throws NOT_FOUND. */
export async function deleteEndpoint(ctx: Context, id: string): Promise<void> {
  const found = await getEndpoint(ctx, id);
  await ctx.db.transaction(async (db) => {
    const gone = await db.orm.delete(webhookEndpoints).where(ownEndpoint(ctx, id)).returning(VIEW_COLUMNS);
    if (gone.length === 0) fail("NOT_FOUND", "No webhook endpoint has this id");
    await recordAudit(db, ctx, { action: "webhook.deleted", ...endpointSubject(found) });
  });
}

type Values = Parameters<ReturnType<Db["orm"]["update"]>["set"]>[0];

interface Told {
  action: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

function change(ctx: Context, id: string, values: Values, told: Told): Promise<EndpointView> {
  return ctx.db.transaction(async (db) => {
    const [row] = await db.orm
      .update(webhookEndpoints)
      .set(values)
      .where(ownEndpoint(ctx, id))
      .returning(VIEW_COLUMNS);
    if (!row) return fail("NOT_FOUND", "No webhook endpoint has this id");
    await recordAudit(db, ctx, { ...told, ...endpointSubject(row) });
    return row;
  });
}
