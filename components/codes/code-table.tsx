import { LocalTime } from "@/components/ui/local-time";
import { type Column, Table } from "@/components/ui/table";
import type { CodeStatus } from "@/lib/contract/batch";
import { CodeBadge } from "./badges";

interface CodeView {
  id: string;
  masked: string;
  useNumber: number;
  status: CodeStatus;
  assignedAt: Date | null;
  redeemedByUid: string | null;
}

const COLUMNS: Column<CodeView>[] = [
  { header: "Code", cell: ({ masked }) => <code className="font-mono text-[13px]">{masked}</code> },
  { header: "State", cell: ({ status }) => <CodeBadge status={status} /> },
  {
    header: "Person",
    cell: ({ redeemedByUid }) => <span className="break-all">{redeemedByUid ?? "–"}</span>,
  },
  {
    header: "Given",
    cell: ({ assignedAt }) => (assignedAt ? <LocalTime at={assignedAt} /> : "–"),
    wide: true,
  },
];

const USE: Column<CodeView> = { header: "Use", cell: ({ useNumber }) => useNumber + 1, numeric: true };

/** Codes of one batch, only ever by their ends. */
export function CodeTable({ rows, custom }: { rows: readonly CodeView[]; custom: boolean }) {
  const [first, ...rest] = COLUMNS;
  const columns = custom && first ? [first, USE, ...rest] : COLUMNS;
  return <Table label="Codes of this batch" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

/** The way through a batch, which is listed in the order of its file. */
export const FILE_ORDER = {
  first: "First page",
  next: "Next page",
  partial: "Looked at 10,000 codes here. Later ones may match as well.",
};
