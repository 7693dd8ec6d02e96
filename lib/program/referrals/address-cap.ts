import { timeOfId } from "@/lib/platform/db/index-ranges";
import { limits } from "@/lib/platform/limits/limits";
import { phoneCaller, placeOf, takeAddressCode } from "@/lib/tenants/api-keys/address-cap";
import type { Context } from "@/lib/tenants/context";
import type { RedeemResult } from "./redeem-answer";

/** A referrer younger than this may have been made up: its codes count twice. */
export const YOUNG_HOURS = 24;

const isYoung = (referrerId: string): boolean => Date.now() - timeOfId(referrerId) < YOUNG_HOURS * 3_600_000;

/**
 * Runs a redeem within the cap of its address, where the key is for phones. Counts before the redeem, so that parallel
 * ones cannot exceed the cap, and uncounts where no code was assigned. Beyond the cap the database decides: a retry gets its
 * code, a new redeem may be held for review, and every other is RATE_LIMITED.
 */
export async function withinAddressCap(
  ctx: Context,
  redeem: (beyond?: "codes_per_address") => Promise<RedeemResult>,
): Promise<RedeemResult> {
  const caller = phoneCaller(ctx);
  if (!caller) return redeem();
  const [cap, place] = [caller.addressCap, placeOf(caller)];
  const refuse = await takeAddressCode(ctx);
  if (refuse) {
    const result = await redeem("codes_per_address");
    return "reason" in result && result.reason === "codes_per_address" ? refuse() : result;
  }
  let assigned = false;
  try {
    const result = await redeem();
    if (result.verdict === "OK" && !result.replayed) {
      assigned = true;
      if (isYoung(result.referrer_id)) await limits().perAddress("code", cap, place);
    }
    return result;
  } finally {
    if (!assigned) await limits().returnCode(cap, place);
  }
}
