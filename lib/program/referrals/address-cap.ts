import { setTimeout as delay } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";
import { timeOfId } from "@/lib/platform/db/index-ranges";
import { limits } from "@/lib/platform/limits/limits";
import { singleton } from "@/lib/platform/singleton";
import { phoneCaller, placeOf, takeAddressUnits } from "@/lib/tenants/api-keys/address-cap";
import type { Context } from "@/lib/tenants/context";
import { earlierResponse, type RedeemResult } from "./redeem-answer";

/** A referrer younger than this may have been made up: its codes count twice. */
export const YOUNG_HOURS = 24;

const isYoung = (referrerId: string): boolean => Date.now() - timeOfId(referrerId) < YOUNG_HOURS * 3_600_000;

/** Units that a redeem counts: one for a new place in line or for a code without a place, two through a young referrer. */
function unitsOf(result: RedeemResult): number {
  if (result.replayed || "reserved" in result || !("referrer_id" in result) || !result.referrer_id) return 0;
  return isYoung(result.referrer_id) ? 2 : 1;
}

/** Milliseconds in which other processes and waiting redeems return the units that they did not need. */
const RETURNED = 50;

/** The redeems of an address. */
interface Place {
  /** Lets one redeem at a time take units: if all waiting ones woke at each return, thousands would occupy the process. */
  enter: LimitFunction;
  /** The redeems that hold units. None of the promises rejects. */
  underWay: Set<Promise<unknown>>;
}

const places = () => singleton("address-redeems", () => new Map<string, Place>());

type PhoneCaller = NonNullable<ReturnType<typeof phoneCaller>>;
type Redeem = (beyond?: "codes_per_address") => Promise<RedeemResult>;

/**
 * Runs a redeem within the cap of its address, if the key is for phones. Takes two units first, because parallel redeems
 * must not exceed the cap, and returns those not needed. With fewer than two it waits for redeems here to return theirs;
 * with none, once for other processes. Over the cap a retry gets its code, and others are held or RATE_LIMITED.
 */
export async function withinAddressCap(ctx: Context, redeem: Redeem, waited = false): Promise<RedeemResult> {
  const caller = phoneCaller(ctx);
  if (!caller) return redeem();
  const id = placeOf(caller);
  const place = places().get(id) ?? { enter: pLimit(1), underWay: new Set() };
  places().set(id, place);
  const begun = await place.enter(() => begin(ctx, caller, place, redeem));
  await (begun.over ?? (waited || delay(RETURNED)));
  const empty = place.underWay.size + place.enter.activeCount + place.enter.pendingCount === 0;
  // During the delay this place may have been deleted and replaced by another.
  if (empty && places().get(id) === place) places().delete(id);
  if (begun.running) return begun.running;
  if (!waited) return withinAddressCap(ctx, redeem, true);
  const result = await redeem("codes_per_address");
  return "reason" in result && result.reason === "codes_per_address"
    ? begun.refuse(earlierResponse(result))
    : result;
}

/** Begins a redeem once it has units; returns the refusal if there are none left and no other redeem could return any. */
async function begin(ctx: Context, caller: PhoneCaller, { underWay }: Place, redeem: Redeem) {
  const giveBack = async (units: number) => {
    for (let n = 0; n < units; n++) await limits().returnUnit("code", caller.addressCap, placeOf(caller));
  };
  for (;;) {
    const { units, refuse } = await takeAddressUnits(ctx, caller);
    if (underWay.size > 0 && units < 2) {
      // Created before the wait: the set may be empty afterwards, and an empty race never settles.
      const next = Promise.race(underWay);
      await giveBack(units);
      await next;
      continue;
    }
    if (units === 0) return { refuse };
    const running = redeem();
    const over: Promise<unknown> = running
      .then(unitsOf, () => 0)
      .then((needed) => giveBack(units - needed))
      .then(() => underWay.delete(over));
    underWay.add(over);
    return { running, over };
  }
}
