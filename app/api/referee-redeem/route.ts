import { redeemRequest } from "@/lib/contract/redeem";
import { endpoint } from "@/lib/http/endpoint";
import { redeemMetacode } from "@/lib/referrals/redeem";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  scope: "referee:redeem",
  input: redeemRequest,
  counts: true,
  idempotent: true,
  handle: redeemMetacode,
});
