import { type Column, Table } from "@/components/ui/table";
import { LocalTime } from "@/components/ui/time";
import type { BatchView, CodeStatus } from "@/lib/contract/batch";
import { userLabel } from "@/lib/contract/influencer";
import { BatchBadge, CodeBadge } from "./labels";

interface CodeView {
  id: string;
  masked: string;
  useNumber: number;
  status: CodeStatus;
  assignedAt: Date | null;
  redeemedByUid: string | null;
}

const CODE: Column<CodeView> = {
  header: "Code",
  cell: ({ masked }) => <code className="font-mono text-note">{masked}</code>,
};

const USE: Column<CodeView> = { header: "Use", cell: ({ useNumber }) => useNumber + 1, numeric: true };

/** The status of a code. A free code of a batch that is withdrawn or expires too soon shows the batch's state instead. */
const statusIn = (batch: BatchView): Column<CodeView> => ({
  header: "Status",
  cell: ({ status }) =>
    status === "available" && batch.expired + batch.quarantined > 0 ? (
      <BatchBadge batch={batch} />
    ) : (
      <CodeBadge status={status} />
    ),
});

const HOLDER: Column<CodeView>[] = [
  {
    header: "User",
    cell: ({ redeemedByUid }) => (
      <span className="wrap-anywhere">{redeemedByUid ? userLabel(redeemedByUid) : "–"}</span>
    ),
  },
  {
    header: "Assigned",
    cell: ({ assignedAt }) => (assignedAt ? <LocalTime at={assignedAt} /> : "–"),
    wide: true,
  },
];

/** The codes of a batch, masked except for their last characters. */
export function CodeTable({ rows, batch }: { rows: readonly CodeView[]; batch: BatchView }) {
  const columns = [CODE, ...(batch.kind === "custom" ? [USE] : []), statusIn(batch), ...HOLDER];
  return <Table label="Codes of this batch" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
