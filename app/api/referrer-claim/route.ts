import { claimRequest } from "@/lib/contract/claim";
import { endpoint } from "@/lib/http/endpoint";
import { claimRewards } from "@/lib/rewards/claim";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  scope: "reward:claim",
  input: claimRequest,
  counts: true,
  idempotent: true,
  handle: claimRewards,
});
