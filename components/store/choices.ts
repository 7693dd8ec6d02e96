import type { Choice } from "@/components/ui/field";
import { offerValue, type StoreOffer } from "@/lib/contract/code-request";
import { formatNumber } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";

/** Active offers as the choices of a field, and the stored one even if inactive: otherwise saving would store another offer. */
export function offerChoices(offers: readonly StoreOffer[], stored?: Choice): Choice[] {
  const active = offers
    .filter((offer) => offer.active)
    .map((offer) => ({ value: offerValue(offer), name: `${offer.name} (${offer.product})` }));
  if (!stored || active.some(({ value }) => value === stored.value)) return active;
  const state = offers.some((offer) => offerValue(offer) === stored.value) ? "inactive" : "no longer listed";
  return [{ value: stored.value, name: `${stored.name} (${state})` }, ...active];
}

/** Pools as the choices of a field. */
export const poolSelectChoices = (pools: readonly PoolOption[]) =>
  pools.map(({ id, name, free }) => ({ value: id, name: `${name} (${formatNumber(free)} free)` }));
