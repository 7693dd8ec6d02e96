import { offerValue, type StoreOffer } from "@/lib/contract/code-request";
import { formatNumber } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";

/** Active offers as the choices of a field. */
export const offerChoices = (offers: readonly StoreOffer[]) =>
  offers
    .filter(({ active }) => active)
    .map((offer) => ({ value: offerValue(offer), name: `${offer.name} (${offer.product})` }));

/** Pools as the choices of a field. */
export const poolSelectChoices = (pools: readonly PoolOption[]) =>
  pools.map(({ id, name, free }) => ({ value: id, name: `${name} (${formatNumber(free)} free)` }));
