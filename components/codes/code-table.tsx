import { type Column, Table } from "@/components/ui/table";
import { LocalTime } from "@/components/ui/time";
import type { CodeStatus } from "@/lib/contract/batch";
import { CodeBadge } from "./labels";

interface CodeView {
  id: string;
  masked: string;
  useNumber: number;
  status: CodeStatus;
  assignedAt: Date | null;
  redeemedByUid: string | null;
}

const COLUMNS: Column<CodeView>[] = [
  { header: "Code", cell: ({ masked }) => <code className="font-mono text-note">{masked}</code> },
  { header: "Status", cell: ({ status }) => <CodeBadge status={status} /> },
  {
    header: "User",
    cell: ({ redeemedByUid }) => <span className="wrap-anywhere">{redeemedByUid ?? "–"}</span>,
  },
  {
    header: "Assigned",
    cell: ({ assignedAt }) => (assignedAt ? <LocalTime at={assignedAt} /> : "–"),
    wide: true,
  },
];

const USE: Column<CodeView> = { header: "Use", cell: ({ useNumber }) => useNumber + 1, numeric: true };

/** The codes of a batch, masked except for their last characters. */
export function CodeTable({ rows, custom }: { rows: readonly CodeView[]; custom: boolean }) {
  const [first, ...rest] = COLUMNS;
  const columns = custom && first ? [first, USE, ...rest] : COLUMNS;
  return <Table label="Codes of this batch" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
