import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { RefillView, StoreOffer } from "@/lib/contract/code-request";
import type { PoolOption } from "@/lib/contract/pool";
import { RefillFields } from "./refill-form";

const offer = (id: string, active: boolean): StoreOffer => ({
  type: "subscription",
  id,
  name: `Offer ${id}`,
  product: "Pro",
  productId: "1",
  active,
});

/** The selected option of each offer of the form, for the ids of the active offers and of those in the rule. */
function selected(active: string[], [first = "", ...later]: string[]): (string | undefined)[] {
  const rule = {
    offer: `subscription:${first}`,
    offerName: `Offer ${first}`,
    laterOffers: later.map((id) => ({ type: "subscription", id, name: `Offer ${id}` })),
  } as RefillView;
  const form = createElement(RefillFields, {
    action: async () => ({}),
    appId: "1",
    pool: { id: "p" } as PoolOption,
    offers: ["1", "2", "3"].map((id) => offer(id, active.includes(id))),
    rule,
    onClose: () => undefined,
  });
  const selects = renderToStaticMarkup(form).split("<select").slice(1);
  return selects.map((text) => /<option [^>]*selected=""[^>]*>([^<]*)</.exec(text)?.[1]);
}

test("the form of a refill keeps the rule's own offers when the store no longer lists them as active", () => {
  expect(selected(["1", "2", "3"], ["1", "3"]).slice(0, 2)).toEqual(["Offer 1 (Pro)", "Offer 3 (Pro)"]);
  expect(selected(["2"], ["1", "3"]).slice(0, 2)).toEqual(["Offer 1 (inactive)", "Offer 3 (inactive)"]);
  expect(selected(["1"], ["gone", "1"]).slice(0, 2)).toEqual([
    "Offer gone (no longer listed)",
    "Offer 1 (Pro)",
  ]);
});
