import type { Context } from "@/lib/context";
import type { RedeemResponse } from "@/lib/contract/redeem";
import { type ErrorDetails, fail } from "@/lib/errors";
import { allowGuess, countUnknownMetacode } from "./guessing";
import { toRedeemResponse } from "./present";
import { type RedeemRequest, type RedeemResult, redeemInLine } from "./redeem-in-line";
import { redeemTestMetacode } from "./test-metacodes";

const CONFLICTS = {
  self_referral: "Referrers cannot redeem their own metacode",
  referrer_daily_cap: "This metacode has reached its limit for 24 hours",
  idempotency_key_reused: "This Idempotency-Key was used with another request body",
};

/** Seconds after which an empty pool is worth another try. */
const REFILL_RETRY = 60;

/**
 * Section 4.3: gives the referee one code of the metacode's campaign, in one round trip that also counts the request.
 * Throws METACODE_NOT_FOUND, CAMPAIGN_INACTIVE, ALREADY_REDEEMED, CONFLICT, NO_CODES_AVAILABLE, RATE_LIMITED.
 */
export async function redeemMetacode(
  ctx: Context,
  request: RedeemRequest,
): Promise<{ body: RedeemResponse; replayed: boolean }> {
  const test = await redeemTestMetacode(ctx, request);
  if (test) return { body: test, replayed: false };
  await allowGuess(ctx);
  const result = await redeemInLine(ctx, request);
  if (result.verdict === "METACODE_NOT_FOUND") await countUnknownMetacode(ctx);
  return { body: bodyOf(result), replayed: result.replayed ?? false };
}

function bodyOf(result: RedeemResult): RedeemResponse {
  const details: ErrorDetails = { replayed: result.replayed ?? false };
  switch (result.verdict) {
    case "OK":
      return toRedeemResponse(result);
    case "ALREADY_REDEEMED": {
      const { redemption } = result;
      return fail("ALREADY_REDEEMED", undefined, {
        ...details,
        ...(redemption && { extra: { redemption: toRedeemResponse(redemption) } }),
      });
    }
    case "CONFLICT":
      return fail("CONFLICT", CONFLICTS[result.reason], details);
    case "NO_CODES_AVAILABLE":
      return fail("NO_CODES_AVAILABLE", undefined, { ...details, retryAfter: REFILL_RETRY });
    default:
      return fail(result.verdict, undefined, details);
  }
}
