import { claimRequest } from "@/lib/contract/claim";
import { claimRewards } from "@/lib/program/rewards/claim";
import { endpoint } from "@/lib/web/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  scope: "reward:claim",
  input: claimRequest,
  counts: true,
  idempotent: true,
  localized: true,
  handle: claimRewards,
});
