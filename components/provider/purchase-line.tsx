import type { EventVerdict, PurchaseView } from "@/lib/contract/provider";

const STORE_NAMES = { ios: "App Store", android: "Google Play", other: "Web shop" };
const HELD_NAMES = { renewal: "Renewal", unpaid: "Free trial or price of 0" };

/** The toast after a link by hand, by the event's outcome. */
export const LINKED: Partial<Record<EventVerdict, string>> = {
  confirmed: "Linked: the referral is confirmed",
  already_confirmed:
    "Linked, but the referral was confirmed before: if the purchase belongs to another user, unlink it",
  not_paid: "Linked, but nothing was paid: the campaign waits for the first payment",
  renewal: "Linked, but the campaign does not count renewals: confirm by hand if the code was used",
  reversed: "Linked: a refund has reversed the referral",
  restored: "Linked: the reversal is undone",
};

/** Store, product, price and kind of a purchase on one line. */
export function PurchaseLine({ purchase }: { purchase: PurchaseView }) {
  const { store, product, price, held } = purchase;
  const named = store ? STORE_NAMES[store] : "Store not named";
  const parts = [named, product, price, held ? HELD_NAMES[held] : null].filter((part) => part !== null);
  return <span className="text-note wrap-anywhere text-muted">{parts.join(" · ")}</span>;
}
