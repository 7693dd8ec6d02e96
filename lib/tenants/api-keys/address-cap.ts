import type { ErrorDetails } from "@/lib/platform/errors";
import { addressBucket } from "@/lib/platform/limits/address";
import { waitOf } from "@/lib/platform/limits/decision";
import { limits } from "@/lib/platform/limits/limits";
import type { Context, KeyActor } from "@/lib/tenants/context";
import { refuseByKey } from "./refusals";

/** A key and an address, under which limits count. */
export const placeOf = ({ limitsId, address }: KeyActor): string => `${limitsId} ${addressBucket(address)}`;

/** The caller if its address is an end user's: the owner says so by setting a cap per address for the key. */
export function phoneCaller({ actor }: Context): (KeyActor & { addressCap: number }) | undefined {
  if (actor.kind !== "api_key" || actor.addressCap === null) return undefined;
  return { ...actor, addressCap: actor.addressCap };
}

/**
 * Takes two units of the cap of an address before a code is assigned. Returns how many of the two were free, and the
 * function that refuses with RATE_LIMITED.
 */
export async function takeAddressUnits(
  ctx: Context,
  caller: KeyActor & { addressCap: number },
): Promise<{ units: number; refuse: (details?: ErrorDetails) => never }> {
  const take = () => limits().perAddress("code", caller.addressCap, placeOf(caller));
  const [first, second] = await Promise.all([take(), take()]);
  const message = `Too many codes for this address in 24 hours, try again in ${waitOf(first)}`;
  return {
    units: Number(first.allowed) + Number(second.allowed),
    refuse: (details) => refuseByKey(ctx, "codes_per_address", first, message, details),
  };
}

/** Counts a new referrer against its address's cap; returns the function that uncounts it. Throws RATE_LIMITED. */
export async function takeAddressReferrer(ctx: Context): Promise<() => Promise<void>> {
  const caller = phoneCaller(ctx);
  if (!caller) return async () => {};
  const decision = await limits().perAddress("referrer", caller.addressCap, placeOf(caller));
  if (decision.allowed) return () => limits().returnUnit("referrer", caller.addressCap, placeOf(caller));
  const message = `Too many new referrers from this address in 24 hours, try again in ${waitOf(decision)}`;
  return refuseByKey(ctx, "referrers_per_address", decision, message);
}
