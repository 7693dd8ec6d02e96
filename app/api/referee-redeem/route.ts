import { redeemRequest } from "@/lib/contract/redeem";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { endpoint } from "@/lib/web/http/endpoint";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = endpoint({
  scope: "referee:redeem",
  input: redeemRequest,
  counts: true,
  idempotent: true,
  localized: true,
  handle: redeemMetacode,
});
