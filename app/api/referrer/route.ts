import { referrerRequest } from "@/lib/contract/referrer";
import { endpoint } from "@/lib/http/endpoint";
import { getOrCreateReferrer } from "@/lib/referrers/get-or-create";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  scope: "referrer:read",
  input: referrerRequest,
  counts: true,
  handle: async (ctx, input) => ({ body: await getOrCreateReferrer(ctx, input) }),
});
