import { and, asc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/contract/webhook-events";
import { createSender, type DeliveryOptions, type TakenDelivery } from "@/lib/outward/webhooks/deliver";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { SCHEDULE, type Schedule } from "@/lib/outward/webhooks/schedule";
import { webhookDeliveries, webhookEndpoints } from "@/lib/platform/db/schema";
import type { Context } from "@/lib/tenants/context";
import { type ReceivedEvent, startVerifier, type Verifier } from "@/lib/testing/webhooks/verifier";

/** An endpoint of an app with a receiver behind it until the test ends. Loopback addresses must be allowed. */
export async function makeReceiver(
  ctx: Context,
  options: {
    events?: readonly WebhookEvent[];
    answer?: (event: ReceivedEvent, index: number) => number | undefined;
  } = {},
): Promise<Verifier & { id: string; secret: string }> {
  let secret = "";
  const verifier = await startVerifier(() => secret, options.answer);
  onTestFinished(() => verifier.stop());
  const events = [...(options.events ?? WEBHOOK_EVENT_NAMES)];
  const made = await createEndpoint(ctx, { url: `${verifier.url}/hook`, events });
  ({ secret } = made);
  return { ...verifier, ...made };
}

/** An app's deliveries in the order of creation. */
export function deliveriesOf({ db, app }: Context) {
  const { appId, id } = webhookDeliveries;
  return db.orm.select().from(webhookDeliveries).where(eq(appId, app.id)).orderBy(asc(id));
}

export async function endpointRow({ db, app }: Context, id: string) {
  const mine = and(eq(webhookEndpoints.appId, app.id), eq(webhookEndpoints.id, id));
  const [row] = await db.orm.select().from(webhookEndpoints).where(mine);
  if (!row) throw new Error("the endpoint is gone");
  return row;
}

/**
 * Leases one delivery by the functions of `take_webhooks`, each in its own statement, as a cluster needs; a state other
 * than `taken` says why the delivery cannot be sent now.
 */
export function leaseDelivery(
  { db, app }: Context,
  id: string,
  { lease, batch }: Schedule = SCHEDULE,
): Promise<TakenDelivery | { state: string }> {
  return db.transaction(async ({ orm }) => {
    const ask = async <Result>(call: SQL) =>
      (await orm.execute<{ result: Result }>(sql`select ${call} as result`)).rows[0]?.result;
    const held = await ask<{ state: string } | null>(sql`hold_webhook_back(${app.id}, ${id})`);
    if (held) return held;
    const { appId, endpointId, eventType, leasedUntil } = webhookDeliveries;
    const [delivery] = await orm
      .select({ endpoint: endpointId, type: eventType })
      .from(webhookDeliveries)
      .where(and(eq(appId, app.id), eq(webhookDeliveries.id, id)));
    if (!delivery) return { state: "gone" };
    const { endpoint, type } = delivery;
    const own = and(eq(appId, app.id), eq(endpointId, endpoint), gt(leasedUntil, sql`now()`));
    const rules = JSON.stringify({ batch });
    const slots = await ask<{ state: string } | { slots: number }>(
      sql`webhook_slots(${app.id}, ${endpoint}, ${await orm.$count(webhookDeliveries, own)}, ${rules}::jsonb, ${type === "webhook.test"})`,
    );
    if (slots && "state" in slots) return slots;
    const taken = await ask<TakenDelivery[]>(
      sql`array_to_json(lease_webhooks(${app.id}, ${endpoint}, array[${id}]::uuid[], ${lease}))`,
    );
    return taken?.[0] ?? { state: "taken by another" };
  });
}

/** Sends one delivery if it can be taken, then stores and returns the outcome. */
export async function sendDelivery(ctx: Context, id: string, options: DeliveryOptions = {}): Promise<string> {
  const taken = await leaseDelivery(ctx, id, options.schedule);
  if (!("url" in taken)) return taken.state;
  const sender = createSender(ctx.db, options);
  return (await sender.store(await sender.attempt(taken))).status;
}

/** Attempts every open delivery once, due or not, in the order of creation; returns the outcomes. */
export async function deliverOpen(ctx: Context, options: DeliveryOptions = {}): Promise<string[]> {
  const { appId, status, id } = webhookDeliveries;
  const open = and(eq(appId, ctx.app.id), inArray(status, ["pending", "failed"]));
  await ctx.db.orm.update(webhookDeliveries).set({ dueAt: sql`now()` }).where(open);
  const rows = await ctx.db.orm.select({ id }).from(webhookDeliveries).where(open).orderBy(asc(id));
  const done: string[] = [];
  for (const row of rows) {
    done.push(await sendDelivery(ctx, row.id, options));
  }
  return done;
}

/** Makes every delivery of an app due now. */
export async function letTimePass(ctx: Context): Promise<void> {
  const now = new Date();
  await ctx.db.orm
    .update(webhookDeliveries)
    .set({ dueAt: now })
    .where(eq(webhookDeliveries.appId, ctx.app.id));
  await ctx.db.orm
    .update(webhookEndpoints)
    .set({ slowedUntil: null })
    .where(eq(webhookEndpoints.appId, ctx.app.id));
}
