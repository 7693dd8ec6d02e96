import { setTimeout as delay } from "node:timers/promises";
import { timeOfId } from "@/lib/platform/db/index-ranges";
import { limits } from "@/lib/platform/limits/limits";
import { singleton } from "@/lib/platform/singleton";
import { phoneCaller, placeOf, takeAddressUnits } from "@/lib/tenants/api-keys/address-cap";
import type { Context } from "@/lib/tenants/context";
import { earlierResponse, type RedeemResult } from "./redeem-answer";

/** A referrer younger than this may have been made up: its codes count twice. */
export const YOUNG_HOURS = 24;

const isYoung = (referrerId: string): boolean => Date.now() - timeOfId(referrerId) < YOUNG_HOURS * 3_600_000;

/** Units that a redeem counts: for a new place in line, or for a code without one, twice through a young referrer. */
function unitsOf(result: RedeemResult): number {
  if (result.replayed || "reserved" in result || !("referrer_id" in result) || !result.referrer_id) return 0;
  return isYoung(result.referrer_id) ? 2 : 1;
}

/** Milliseconds within which another process, or a redeem that waits, has returned the units that it did not need. */
const RETURNED = 50;

/** The redeems of each address that hold units of its cap. None of the promises rejects. */
const underWay = () => singleton("address-redeems", () => new Map<string, Set<Promise<unknown>>>());

/**
 * Runs a redeem within the cap of its address, where the key is for phones. Counts twice before the redeem, so that parallel
 * ones cannot exceed the cap, and uncounts what it did not need. With less than two units left it waits for what others
 * return, and without any for those that it does not know of, once. Beyond the cap the database decides: a retry gets its
 * code, a new redeem may be held, and every other is RATE_LIMITED.
 */
export async function withinAddressCap(
  ctx: Context,
  redeem: (beyond?: "codes_per_address") => Promise<RedeemResult>,
  waited = false,
): Promise<RedeemResult> {
  const caller = phoneCaller(ctx);
  if (!caller) return redeem();
  const place = placeOf(caller);
  const giveBack = async (units: number) => {
    for (let n = 0; n < units; n++) await limits().returnUnit("code", caller.addressCap, place);
  };
  const { units, refuse } = await takeAddressUnits(ctx, caller);
  const others = underWay().get(place) ?? new Set();
  if (others.size > 0 && units < 2) {
    // Begun before the wait: the set may be empty after it, and a race of none never ends.
    const next = Promise.race(others);
    await giveBack(units);
    await next;
    return withinAddressCap(ctx, redeem);
  }
  if (units === 0 && !waited) {
    await delay(RETURNED);
    return withinAddressCap(ctx, redeem, true);
  }
  if (units === 0) {
    const result = await redeem("codes_per_address");
    return "reason" in result && result.reason === "codes_per_address"
      ? refuse(earlierResponse(result))
      : result;
  }
  underWay().set(place, others);
  const running = redeem();
  const over = running.then(unitsOf, () => 0).then((needed) => giveBack(units - needed));
  others.add(over);
  await over;
  others.delete(over);
  if (others.size === 0) underWay().delete(place);
  return running;
}
