import { Send } from "lucide-react";
import type { ReactElement } from "react";
import { BulkBar } from "@/components/bulk/bulk-bar";
import { selectColumn } from "@/components/bulk/row-check";
import { CodeName } from "@/components/ui/code-text";
import { EmptyState } from "@/components/ui/empty-state";
import { Filter, Filters } from "@/components/ui/filters";
import { NextStep } from "@/components/ui/link";
import { listHref, Pager } from "@/components/ui/pager";
import { StatusBadge } from "@/components/ui/status-badge";
import { type Column, Table } from "@/components/ui/table";
import { LocalTime } from "@/components/ui/time";
import type { BulkOutcome } from "@/lib/contract/bulk";
import type { FormAction } from "@/lib/contract/form-state";
import type { DeliveryStatus } from "@/lib/contract/webhook-events";
import type { DeliveriesResponse, DeliveryResponse } from "@/lib/contract/webhooks";
import { DELIVERY_CHOICES, DELIVERY_LOOKS } from "./delivery-status";

const COLUMNS: readonly Column<DeliveryResponse>[] = [
  {
    header: "Event",
    cell: ({ event_type }) => <CodeName name={event_type} />,
  },
  {
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} looks={DELIVERY_LOOKS} />,
  },
  { header: "Response", numeric: true, cell: ({ response_status }) => response_status ?? "–" },
  { header: "Attempts", numeric: true, wide: true, cell: ({ attempts }) => attempts },
  {
    header: "Created",
    numeric: true,
    wide: true,
    cell: ({ created_at }) => <LocalTime at={new Date(created_at)} shape="second" />,
  },
];

const SELECT = selectColumn<DeliveryResponse>(({ event_type }) => event_type);

/** The next step to the first delivery, by the reader's role and the state of the endpoint. */
const FIRST = {
  admin: { enabled: "Send the first.", disabled: "Enable the endpoint to receive events." },
  reader: {
    enabled: "An admin can send a test event.",
    disabled: "The endpoint is disabled: ask an admin to enable it.",
  },
};

interface Props {
  path: string;
  query: { status?: DeliveryStatus | undefined; cursor?: string | undefined };
  page: DeliveriesResponse;
  size: number;
  enabled: boolean;
  /** The button that sends the first delivery or enables the endpoint. Absent for members who may not. */
  begin?: ReactElement | false;
  /** Resends the chosen deliveries. Absent for members who may not, and while disabled. */
  resend?: { action: FormAction<BulkOutcome>; hidden: Record<string, string> } | undefined;
}

/** The deliveries of an endpoint, newest first; a selected delivery opens above the list. */
export function DeliveryList({ path, query, page, size, enabled, begin, resend }: Props) {
  const filtered = query.status !== undefined || query.cursor !== undefined;
  return (
    <section aria-labelledby="deliveries" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries" className="text-base font-semibold tracking-tight">
          Deliveries
        </h2>
        <Filters>
          <Filter
            name="status"
            label="Status"
            value={query.status}
            choices={DELIVERY_CHOICES}
            all="Any status"
          />
        </Filters>
      </div>
      {resend && page.data.length > 0 && (
        <BulkBar
          key={`${query.status} ${query.cursor}`}
          hidden={resend.hidden}
          noun={["delivery", "deliveries"]}
          actions={[
            {
              action: resend.action,
              label: "Resend",
              description:
                "They are sent again in their order, also those that were delivered. Your server recognises repeated events by their webhook-id.",
              done: "being resent",
            },
          ]}
        />
      )}
      {page.data.length > 0 ? (
        <Table
          label="Deliveries, newest first"
          columns={resend ? [...COLUMNS, SELECT] : COLUMNS}
          rows={page.data}
          rowKey={({ id }) => id}
          href={({ id }) => listHref(path, { ...query, delivery: id })}
        />
      ) : (
        <EmptyState
          icon={Send}
          title={filtered ? "No matching deliveries" : "No deliveries yet"}
          action={
            filtered ? (
              <NextStep href={path}>Show all deliveries</NextStep>
            ) : (
              begin || <NextStep href={path.slice(0, path.lastIndexOf("/"))}>All endpoints</NextStep>
            )
          }
        >
          {filtered
            ? "Choose another status, or go further back."
            : `Each event that is sent to this endpoint appears here with its response. ${FIRST[begin ? "admin" : "reader"][enabled ? "enabled" : "disabled"]}`}
        </EmptyState>
      )}
      <Pager path={path} query={query} nextCursor={page.next_cursor} shown={page.data.length} size={size} />
    </section>
  );
}
