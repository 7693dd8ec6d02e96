import { deliveriesRequest } from "@/lib/contract/webhooks";
import { endpoint } from "@/lib/http/endpoint";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  method: "GET",
  scope: "webhook:read",
  input: deliveriesRequest,
  handle: async (ctx, input) => ({ body: await listDeliveries(ctx, input) }),
});
