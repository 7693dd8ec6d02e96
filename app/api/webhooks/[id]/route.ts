import { webhookRequest } from "@/lib/contract/webhooks";
import { endpoint } from "@/lib/http/endpoint";
import { getWebhook } from "@/lib/webhooks/get";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  method: "GET",
  scope: "webhook:read",
  input: webhookRequest,
  handle: async (ctx, input) => ({ body: await getWebhook(ctx, input) }),
});
