import { webhooksRequest } from "@/lib/contract/webhooks";
import { listEndpoints, presentEndpoints } from "@/lib/outward/webhooks/endpoints";
import { endpoint } from "@/lib/web/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  method: "GET",
  scope: "webhook:read",
  input: webhooksRequest,
  handle: async (ctx) => ({ body: presentEndpoints(await listEndpoints(ctx)) }),
});
