import { sql } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import { fail } from "@/lib/errors";
import { endpointSubject, getEndpoint } from "@/lib/webhooks/endpoint";

/** Deliveries that one click sends again at most (1,000 took 3 of the 5 s of a statement); the next click goes on. */
export const MOST_RESENT = 500;

/**
 * Sends a delivery again, with the same `webhook-id` and a schedule from its start. One that is waiting for its next
 * attempt is attempted now; one that is on its way is left alone. Throws NOT_FOUND, and CONFLICT where the endpoint is
 * off.
 */
export async function resendDelivery(ctx: Context, endpointId: string, id: string): Promise<void> {
  const endpoint = await getEndpoint(ctx, endpointId);
  if (!endpoint.enabled) fail("CONFLICT", "Switch the endpoint on first");
  if (!isUuid(id)) fail("NOT_FOUND", "No delivery has this id");
  await ctx.db.transaction(async (db) => {
    const done = await db.call<string>("resend_webhook", [ctx.app.id, endpointId, id]);
    if (done === "unknown") fail("NOT_FOUND", "No delivery has this id");
    if (done !== "queued") return;
    await recordAudit(db, ctx, {
      action: "webhook.resent",
      ...endpointSubject(endpoint),
      after: { delivery: id },
    });
  });
}

/**
 * Sends everything again that was given up or waits for another attempt since a moment, oldest first; returns how many
 * and whether more are left. Asked twice, it finds nothing that it has queued already. Throws NOT_FOUND, CONFLICT.
 */
export async function resendFailed(
  ctx: Context,
  endpointId: string,
  since: Date,
): Promise<{ resent: number; more: boolean }> {
  const endpoint = await getEndpoint(ctx, endpointId);
  if (!endpoint.enabled) fail("CONFLICT", "Switch the endpoint on first");
  return ctx.db.transaction(async (db) => {
    const { rows } = await db.orm.execute<{ id: string }>(sql`
      select id from webhook_deliveries
       where app_id = ${ctx.app.id} and endpoint_id = ${endpointId} and created_at >= ${since}
         and status in ('failed', 'dead') and (status = 'dead' or due_at > now())
       order by id limit ${MOST_RESENT + 1}`);
    const chosen = sql.param(rows.slice(0, MOST_RESENT).map(({ id }) => id));
    const { rows: queued } = await db.orm.execute(sql`
      select 1 from unnest(${chosen}::uuid[]) as one (id)
       where resend_webhook(${ctx.app.id}, ${endpointId}, one.id) = 'queued'`);
    const resent = queued.length;
    const after = { since: since.toISOString(), deliveries: resent };
    if (resent > 0)
      await recordAudit(db, ctx, { action: "webhook.resent", ...endpointSubject(endpoint), after });
    return { resent, more: rows.length > MOST_RESENT };
  });
}
