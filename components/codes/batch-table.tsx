import { BulkBar } from "@/components/bulk/bulk-bar";
import { selectColumn } from "@/components/bulk/row-check";
import { type Column, Table } from "@/components/ui/table";
import { LocalTime, RelativeTime } from "@/components/ui/time";
import type { BatchView } from "@/lib/contract/batch";
import type { BulkOutcome } from "@/lib/contract/bulk";
import type { FormAction } from "@/lib/contract/form-state";
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

/** Whether a batch can be quarantined or restored. */
const isMovable = ({ state }: BatchView): boolean => state !== "importing" && state !== "undone";

const SELECT = selectColumn<BatchView>((batch) => (isMovable(batch) ? nameOf(batch) : undefined));

const kindNameOf = ({ kind }: BatchView) => (kind === "custom" ? "Custom code" : undefined);

function nameOf(batch: BatchView): string {
  return batch.origin ?? kindNameOf(batch) ?? batch.offer ?? "Unnamed batch";
}

function Name({ batch }: { batch: BatchView }) {
  const name = nameOf(batch);
  const note = [kindNameOf(batch), batch.offer].filter((text) => text && text !== name);
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
  /** Changes the chosen batches; absent for members who may not, and where several lists share a page. */
  change?: { quarantine: FormAction<BulkOutcome>; restore: FormAction<BulkOutcome> } | undefined;
}

/** Batches, newest first. */
export function BatchTable({ label, appId, batches, change }: Props) {
  const selectable = batches.some(isMovable) ? change : undefined;
  return (
    <div className="grid grid-cols-1 gap-3">
      {selectable && (
        <BatchBulkBar appId={appId} reserved={batches.some(({ reserved }) => reserved > 0)} {...selectable} />
      )}
      <Table
        label={label}
        columns={selectable ? [...COLUMNS, SELECT] : COLUMNS}
        rows={batches}
        rowKey={({ id }) => id}
        href={({ id }) => `/dashboard/apps/${appId}/codes/batches/${id}`}
      />
    </div>
  );
}

const SET_ASIDE = " Codes set aside for people in line are taken back, and these people wait again.";

type BarProps = NonNullable<Props["change"]> & { appId: string; reserved: boolean };

/** Quarantines the chosen batches, or restores them. `reserved`: whether any batch has codes set aside. */
function BatchBulkBar({ appId, reserved, quarantine, restore }: BarProps) {
  return (
    <BulkBar
      hidden={{ appId }}
      noun={["batch", "batches"]}
      actions={[
        {
          action: quarantine,
          label: "Quarantine",
          description: `Their free codes are not assigned until you restore the batches. Codes already assigned are not affected.${reserved ? SET_ASIDE : ""}`,
          done: "quarantined",
        },
        {
          action: restore,
          label: "Restore",
          description:
            "Their codes can be assigned again at once, unless they have expired. Batches that are not quarantined are left as they are.",
          done: "restored",
        },
      ]}
    />
  );
}
