import { timeOfId } from "@/lib/platform/db/index-ranges";
import { Buckets } from "@/lib/platform/limits/buckets";
import { limits } from "@/lib/platform/limits/limits";
import { singleton } from "@/lib/platform/singleton";
import { phoneCaller, placeOf, takeAddressCode } from "@/lib/tenants/api-keys/address-cap";
import type { Context } from "@/lib/tenants/context";
import type { RedeemResult } from "./redeem-answer";

/** A referrer younger than this may have been made up: its codes count twice. */
export const YOUNG_HOURS = 24;

/** Referees that a process remembers, whose retries are never refused. */
const REMEMBERED = 50_000;

const served = () => singleton("served-referees", () => new Buckets<true>(REMEMBERED));

const isYoung = (referrerId: string): boolean => Date.now() - timeOfId(referrerId) < YOUNG_HOURS * 3_600_000;

/**
 * Runs a redeem within the cap of its address, where the key is for phones. Counts before the redeem, so that parallel
 * ones cannot exceed the cap, and uncounts where no code was assigned. Throws RATE_LIMITED.
 */
export async function withinAddressCap(
  ctx: Context,
  refereeUid: string,
  redeem: () => Promise<RedeemResult>,
): Promise<RedeemResult> {
  const caller = phoneCaller(ctx);
  const referee = `${ctx.app.id} ${refereeUid}`;
  if (!caller || served().get(referee)) return redeem();
  const [cap, place] = [caller.addressCap, placeOf(caller)];
  await takeAddressCode(ctx);
  let assigned = false;
  try {
    const result = await redeem();
    if (result.verdict === "OK" && !result.replayed) {
      assigned = true;
      served().set(referee, true);
      if (isYoung(result.referrer_id)) await limits().perAddress("code", cap, place);
    }
    return result;
  } finally {
    if (!assigned) await limits().returnCode(cap, place);
  }
}
