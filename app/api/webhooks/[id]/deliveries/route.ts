import { deliveriesRequest } from "@/lib/contract/webhooks";
import { listDeliveries } from "@/lib/outward/webhooks/deliveries";
import { endpoint } from "@/lib/web/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  method: "GET",
  scope: "webhook:read",
  input: deliveriesRequest,
  handle: async (ctx, input) => ({ body: await listDeliveries(ctx, input) }),
});
