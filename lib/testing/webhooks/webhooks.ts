import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/contract/webhook-events";
import { type DeliveryOptions, deliverWebhook } from "@/lib/outward/webhooks/deliver";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
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

/** Attempts every open delivery once, due or not, in the order of creation; returns the outcomes. */
export async function deliverOpen(ctx: Context, options: DeliveryOptions = {}): Promise<string[]> {
  const { appId, status, id } = webhookDeliveries;
  const open = and(eq(appId, ctx.app.id), inArray(status, ["pending", "failed"]));
  await ctx.db.orm.update(webhookDeliveries).set({ dueAt: sql`now()` }).where(open);
  const rows = await ctx.db.orm.select({ id }).from(webhookDeliveries).where(open).orderBy(asc(id));
  const done: string[] = [];
  for (const row of rows) {
    done.push(await deliverWebhook(ctx.db, { app: ctx.app.id, delivery: row.id }, options));
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
