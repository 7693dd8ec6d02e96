import { Badge } from "@/components/ui/badge";
import { Table } from "@/components/ui/table";
import { type OfferType, offerValue, type StoreOffer } from "@/lib/contract/code-request";

const TYPES: Record<OfferType, string> = { subscription: "Subscription", in_app_purchase: "In-app purchase" };

/** The offers that the store lists. */
export function OfferList({ offers }: { offers: readonly StoreOffer[] }) {
  return (
    <Table
      label="Offers in App Store Connect"
      rows={offers}
      rowKey={offerValue}
      columns={[
        {
          header: "Offer",
          cell: ({ name, active }) => (
            <span className="flex flex-wrap items-center gap-2">
              {name} {!active && <Badge>Inactive</Badge>}
            </span>
          ),
        },
        { header: "Product", cell: ({ product }) => product },
        {
          header: "Product ID",
          cell: ({ productId }) => <span className="font-mono text-note">{productId}</span>,
          wide: true,
        },
        { header: "Type", cell: ({ type }) => TYPES[type], wide: true },
      ]}
    />
  );
}
