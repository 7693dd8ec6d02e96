import { desc, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { WebhooksResponse } from "@/lib/contract/webhooks";
import { webhookEndpoints } from "@/lib/db/schema";
import { ENDPOINT_COLUMNS, toWebhook } from "@/lib/webhooks/record";

/** The app's webhook endpoints, newest first. An app has a handful, so they are one page. */
export async function listWebhooks(ctx: Context): Promise<WebhooksResponse> {
  const rows = await ctx.db.orm
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.appId, ctx.app.id))
    .orderBy(desc(webhookEndpoints.id));
  return { data: rows.map(toWebhook), next_cursor: null };
}
