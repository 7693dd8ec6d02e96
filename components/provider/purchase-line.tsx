import type { PurchaseView } from "@/lib/contract/provider";

const STORE_NAMES = { ios: "App Store", android: "Google Play", other: "Web shop" };
const HELD_NAMES = { renewal: "Renewal", unpaid: "Free trial or price of 0" };

/** Store, product, price and kind of a purchase on one line. */
export function PurchaseLine({ purchase }: { purchase: PurchaseView }) {
  const { store, product, price, held } = purchase;
  const named = store ? STORE_NAMES[store] : "Store not named";
  const parts = [named, product, price, held ? HELD_NAMES[held] : null].filter((part) => part !== null);
  return <span className="text-note wrap-anywhere text-muted">{parts.join(" · ")}</span>;
}
