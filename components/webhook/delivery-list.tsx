import { Send } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { LocalTime } from "@/components/ui/local-time";
import { listHref, Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { DeliveryStatus } from "@/lib/contract/webhook-events";
import type { DeliveriesResponse, DeliveryResponse } from "@/lib/contract/webhooks";
import { STATUS_CHOICES, STATUS_WORDS } from "./statuses";

const COLUMNS: readonly Column<DeliveryResponse>[] = [
  {
    header: "Event",
    cell: ({ event_type }) => (
      <span className="font-mono text-[13px] [overflow-wrap:anywhere]">{event_type}</span>
    ),
  },
  {
    header: "State",
    cell: ({ status }) => <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].name}</Badge>,
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
  query: { status?: DeliveryStatus | undefined; cursor?: string | undefined };
  page: DeliveriesResponse;
  size: number;
}

/** What became of each event at an endpoint, newest first; one opens above the list. */
export function DeliveryList({ path, query, page, size }: Props) {
  const narrowed = query.status !== undefined || query.cursor !== undefined;
  return (
    <section aria-labelledby="deliveries" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries" className="text-base font-semibold tracking-tight">
          Deliveries
        </h2>
        <Filters>
          <Filter name="status" label="State" value={query.status} choices={STATUS_CHOICES} all="Any state" />
        </Filters>
      </div>
      {page.data.length > 0 ? (
        <Table
          label="Deliveries, newest first"
          columns={COLUMNS}
          rows={page.data}
          rowKey={({ id }) => id}
          href={({ id }) => listHref(path, { ...query, delivery: id })}
        />
      ) : (
        <EmptyState icon={Send} title={narrowed ? "No delivery fits" : "Nothing to deliver yet"}>
          {narrowed
            ? "Choose another state, or look further back."
            : "Each event that this endpoint is told of appears here, with what it answered."}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={page.next_cursor} shown={page.data.length} size={size} />
    </section>
  );
}
