import { and, eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { isUuid } from "@/lib/contract/uuid";
import type { WebhookInput, WebhookResponse } from "@/lib/contract/webhooks";
import { webhookEndpoints } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { ENDPOINT_COLUMNS, toWebhook } from "@/lib/webhooks/record";

/** One webhook endpoint of the app; NOT_FOUND for an unknown id and for another app's. */
export async function getWebhook(ctx: Context, { id }: WebhookInput): Promise<WebhookResponse> {
  if (!isUuid(id)) return fail("NOT_FOUND", "No webhook endpoint has this id");
  const [row] = await ctx.db.orm
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.appId, ctx.app.id), eq(webhookEndpoints.id, id)));
  return row ? toWebhook(row) : fail("NOT_FOUND", "No webhook endpoint has this id");
}
