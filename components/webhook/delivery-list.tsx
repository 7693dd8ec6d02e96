import { Send } from "lucide-react";
import { Badge, type Tone } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { LocalTime } from "@/components/ui/local-time";
import { Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { DeliveriesResponse, DeliveryResponse } from "@/lib/contract/webhooks";
import { NOT_SENT } from "./steps";

const TONES: Record<DeliveryResponse["status"], Tone> = {
  pending: "neutral",
  delivered: "good",
  failed: "warn",
  dead: "bad",
};

const COLUMNS: readonly Column<DeliveryResponse>[] = [
  { header: "Event", cell: ({ event_type }) => <span className="font-mono text-[13px]">{event_type}</span> },
  {
    header: "State",
    cell: ({ status }) => (
      <Badge tone={TONES[status]}>
        <span className="capitalize">{status}</span>
      </Badge>
    ),
  },
  { header: "Answer", numeric: true, cell: ({ response_status }) => response_status ?? "–" },
  { header: "Tries", numeric: true, wide: true, cell: ({ attempts }) => attempts },
  {
    header: "Created",
    numeric: true,
    wide: true,
    cell: ({ created_at }) => <LocalTime at={new Date(created_at)} shape="second" />,
  },
];

interface Props {
  path: string;
  cursor: string | undefined;
  page: DeliveriesResponse;
  size: number;
}

/** What became of each event at an endpoint, newest first. */
export function DeliveryList({ path, cursor, page, size }: Props) {
  return (
    <section aria-labelledby="deliveries" className="grid grid-cols-1 gap-3">
      <h2 id="deliveries" className="text-base font-semibold tracking-tight">
        Deliveries
      </h2>
      {page.data.length > 0 ? (
        <Table label="Deliveries, newest first" columns={COLUMNS} rows={page.data} rowKey={({ id }) => id} />
      ) : (
        <EmptyState icon={Send} title="Nothing was delivered">
          {NOT_SENT}
        </EmptyState>
      )}
      <Pager
        path={path}
        query={{ cursor }}
        nextCursor={page.next_cursor}
        shown={page.data.length}
        size={size}
      />
    </section>
  );
}
