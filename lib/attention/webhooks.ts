import { and, desc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import { webhookDeliveries } from "@/lib/db/schema";
import { listWebhooks } from "@/lib/webhooks/list";

/** The newest deliveries of an endpoint that are looked at, along webhook_deliveries_endpoint. */
const LOOKED_AT = 20;

async function failures(ctx: Context, endpointId: string): Promise<number> {
  const newest = await ctx.db.orm
    .select({ status: webhookDeliveries.status })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.appId, ctx.app.id), eq(webhookDeliveries.endpointId, endpointId)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(LOOKED_AT);
  const ended = newest.filter(({ status }) => status !== "pending");
  const last = ended.findIndex(({ status }) => status === "delivered");
  return last === -1 ? ended.length : last;
}

/** Endpoints whose newest deliveries did not arrive, with how many since the last one that did. */
export async function webhooksAttention(ctx: Context): Promise<Attention[]> {
  const endpoints = (await listWebhooks(ctx)).data.filter(({ enabled }) => enabled);
  const found: Attention[] = [];
  for (const { id, url } of endpoints) {
    const failed = await failures(ctx, id);
    if (failed > 0) found.push({ kind: "webhook_failing", id, name: new URL(url).host, failed });
  }
  return found;
}
