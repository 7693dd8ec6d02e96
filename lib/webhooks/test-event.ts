import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { getEndpoint } from "@/lib/webhooks/endpoint";

/**
 * Sends `webhook.test` to one endpoint and to no other, the way every event goes; returns the delivery's id. Throws
 * NOT_FOUND, and CONFLICT where the endpoint is off.
 */
export async function sendTestEvent(ctx: Context, endpointId: string): Promise<{ id: string }> {
  const { enabled } = await getEndpoint(ctx, endpointId);
  if (!enabled) fail("CONFLICT", "Switch the endpoint on first");
  const payload = { message: `A test from ${ctx.app.name}` };
  return { id: await ctx.db.call<string>("test_webhook", [ctx.app.id, endpointId, payload]) };
}
