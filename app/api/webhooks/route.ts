import { webhooksRequest } from "@/lib/contract/webhooks";
import { endpoint } from "@/lib/http/endpoint";
import { listWebhooks } from "@/lib/webhooks/list";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  method: "GET",
  scope: "webhook:read",
  input: webhooksRequest,
  handle: async (ctx) => ({ body: await listWebhooks(ctx) }),
});
