import { type Column, Table } from "@/components/ui/table";
import { LocalTime, RelativeTime } from "@/components/ui/time";
import type { BatchView } from "@/lib/contract/batch";
import { formatNumber } from "@/lib/contract/format";
import { BatchBadge } from "./labels";

const COLUMNS: Column<BatchView>[] = [
  { header: "Batch", cell: (batch) => <Name batch={batch} /> },
  { header: "Status", cell: (batch) => <BatchBadge batch={batch} /> },
  { header: "Free", cell: ({ free }) => formatNumber(free), numeric: true },
  { header: "Assigned", cell: ({ assigned }) => formatNumber(assigned), numeric: true, wide: true },
  { header: "Uploaded", cell: ({ size }) => formatNumber(size), numeric: true, wide: true },
  {
    header: "Expires",
    cell: ({ expiresAt }) => (expiresAt ? <LocalTime at={expiresAt} shape="day" /> : "Never"),
    wide: true,
  },
  { header: "Imported", cell: ({ createdAt }) => <RelativeTime at={createdAt} />, wide: true },
];

function Name({ batch: { origin, offer, kind } }: { batch: BatchView }) {
  const kindName = kind === "custom" ? "Custom code" : undefined;
  const name = origin ?? kindName ?? offer ?? "Unnamed batch";
  const note = [name === kindName ? undefined : kindName, name === offer ? undefined : offer].filter(Boolean);
  return (
    <span className="grid max-w-56 min-w-32">
      <span className="truncate">{name}</span>
      {note.length > 0 && <span className="truncate text-xs font-normal text-muted">{note.join(" · ")}</span>}
    </span>
  );
}

interface Props {
  label: string;
  appId: string;
  batches: readonly BatchView[];
}

/** Batches, newest first. */
export function BatchTable({ label, appId, batches }: Props) {
  return (
    <Table
      label={label}
      columns={COLUMNS}
      rows={batches}
      rowKey={({ id }) => id}
      href={({ id }) => `/dashboard/apps/${appId}/codes/batches/${id}`}
    />
  );
}
