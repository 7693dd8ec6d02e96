import { sql } from "drizzle-orm";
import { isUuid } from "@/lib/contract/fields";
import type { EndpointView } from "@/lib/contract/webhook-events";
import { endpointSubject, getEndpoint } from "@/lib/outward/webhooks/endpoints";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import { fail } from "@/lib/platform/errors";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import type { EventPayload } from "@/lib/tenants/events/emit";

const RESEND_WEBHOOK = sqlFunction("resend_webhook", {
  app: "uuid",
  endpoint: "uuid",
  id: "uuid",
}).returns<"queued" | "waiting" | "unknown">();

const SEND_TEST_WEBHOOK = sqlFunction("send_test_webhook", {
  app: "uuid",
  endpoint: "uuid",
  payload: jsonb<EventPayload<"webhook.test">>(),
}).returns<string>();

const TRY_NOW = sqlFunction("try_webhooks_now", {
  app: "uuid",
  endpoint: "uuid",
  limit: "int",
}).returns<number>();

/** Maximum deliveries that one click resends (1,000 took 3 of a statement's 5 s); the next click continues. */
const MAX_RESENT = 500;

/** Throws NOT_FOUND, and CONFLICT where the endpoint is disabled. */
async function getEnabledEndpoint(ctx: Context, endpointId: string): Promise<EndpointView> {
  const endpoint = await getEndpoint(ctx, endpointId);
  return endpoint.enabled ? endpoint : fail("CONFLICT", "Enable the endpoint first");
}

/** Sends `webhook.test` to this endpoint alone, through the queue of all events; returns the delivery's id. */
export async function sendTestWebhook(ctx: Context, endpointId: string): Promise<{ id: string }> {
  const endpoint = await getEnabledEndpoint(ctx, endpointId);
  const payload = { message: `A test from ${ctx.app.name}` };
  return ctx.db.transaction(async (db) => {
    const id = await db.call(SEND_TEST_WEBHOOK, { app: ctx.app.id, endpoint: endpointId, payload });
    await recordAudit(db, ctx, { action: "webhook.tested", ...endpointSubject(endpoint) });
    return { id };
  });
}

/**
 * Resends a delivery with the same `webhook-id`, and restarts its schedule. A delivery that waits for its next
 * attempt is attempted now; one that is being sent is left alone. Throws NOT_FOUND, and CONFLICT where the endpoint
 * is disabled.
 */
export async function resendDelivery(ctx: Context, endpointId: string, id: string): Promise<void> {
  const endpoint = await getEnabledEndpoint(ctx, endpointId);
  if (!isUuid(id)) fail("NOT_FOUND", "There is no such delivery");
  await ctx.db.transaction(async (db) => {
    const outcome = await db.call(RESEND_WEBHOOK, { app: ctx.app.id, endpoint: endpointId, id });
    if (outcome === "unknown") fail("NOT_FOUND", "There is no such delivery");
    if (outcome !== "queued") return;
    await recordAudit(db, ctx, {
      action: "webhook.resent",
      ...endpointSubject(endpoint),
      after: { delivery: id },
    });
  });
}

/**
 * Resends every delivery since a time that was given up or waits for another attempt, oldest first; returns how
 * many, and whether more are left. A second call skips queued deliveries. Throws NOT_FOUND, CONFLICT.
 */
export async function resendFailed(
  ctx: Context,
  endpointId: string,
  since: Date,
): Promise<{ resent: number; more: boolean }> {
  const endpoint = await getEnabledEndpoint(ctx, endpointId);
  return ctx.db.transaction(async (db) => {
    const { rows } = await db.orm.execute<{ id: string }>(sql`
      select id from webhook_deliveries
       where app_id = ${ctx.app.id} and endpoint_id = ${endpointId} and created_at >= ${since}
         and status in ('failed', 'dead') and (status = 'dead' or due_at > now())
       order by id limit ${MAX_RESENT + 1}`);
    const chosen = sql.param(rows.slice(0, MAX_RESENT).map(({ id }) => id));
    const { rows: queued } = await db.orm.execute(sql`
      select 1 from unnest(${chosen}::uuid[]) as delivery (id)
       where resend_webhook(${ctx.app.id}, ${endpointId}, delivery.id) = 'queued'`);
    const resent = queued.length;
    const after = { since: since.toISOString(), deliveries: resent };
    if (resent > 0) {
      await recordAudit(db, ctx, { action: "webhook.resent", ...endpointSubject(endpoint), after });
    }
    return { resent, more: rows.length > MAX_RESENT };
  });
}

/**
 * Tries a slowed or failing endpoint at once: one delivery first, the others as soon as that one is accepted.
 * Throws NOT_FOUND, and CONFLICT where the endpoint is disabled.
 */
export async function tryEndpointNow(ctx: Context, endpointId: string): Promise<void> {
  const endpoint = await getEnabledEndpoint(ctx, endpointId);
  await ctx.db.transaction(async (db) => {
    await db.call(TRY_NOW, { app: ctx.app.id, endpoint: endpointId, limit: MAX_RESENT });
    await recordAudit(db, ctx, { action: "webhook.tried", ...endpointSubject(endpoint) });
  });
}
