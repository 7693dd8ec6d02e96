import { referrerRequest } from "@/lib/contract/referrer";
import { getOrCreateReferrer } from "@/lib/program/referrers/get-or-create";
import { endpoint } from "@/lib/web/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  scope: "referrer:read",
  input: referrerRequest,
  counts: true,
  handle: async (ctx, input) => ({ body: await getOrCreateReferrer(ctx, input) }),
});
