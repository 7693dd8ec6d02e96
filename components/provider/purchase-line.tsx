import type { PurchaseView } from "@/lib/contract/provider";

const STORE_NAMES = { ios: "App Store", android: "Google Play", other: "Web shop" };

/** Store, product and price of a purchase on one line. */
export function PurchaseLine({ purchase }: { purchase: PurchaseView }) {
  const { store, product, price } = purchase;
  const parts = [store ? STORE_NAMES[store] : "Store not named", product, price].filter(
    (part) => part !== null,
  );
  return <span className="text-note wrap-anywhere text-muted">{parts.join(" · ")}</span>;
}
