import { webhookRequest } from "@/lib/contract/webhooks";
import { getEndpoint, presentEndpoint } from "@/lib/outward/webhooks/endpoints";
import { endpoint } from "@/lib/web/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  method: "GET",
  scope: "webhook:read",
  input: webhookRequest,
  handle: async (ctx, { id }) => ({ body: presentEndpoint(await getEndpoint(ctx, id)) }),
});
