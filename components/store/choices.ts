import { offerWord, type StoreOffer } from "@/lib/contract/code-request";

/** A pool that codes may go to. */
export interface StorePool {
  id: string;
  name: string;
  use: "referee" | "reward";
  free: number;
}

/** Offers that codes can be made of, as a select field shows them. */
export const offerChoices = (offers: readonly StoreOffer[]) =>
  offers
    .filter(({ active }) => active)
    .map((offer) => ({ value: offerWord(offer), name: `${offer.name} (${offer.product})` }));

/** Pools as a select field shows them. */
export const poolChoices = (pools: readonly StorePool[]) =>
  pools.map(({ id, name, free }) => ({ value: id, name: `${name} (${free.toLocaleString("en")} free)` }));
