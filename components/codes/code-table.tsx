import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/local-time";
import { listHref } from "@/components/ui/pager";
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

interface PagesProps {
  path: string;
  query: Record<string, string | undefined>;
  nextCursor: string | null;
  shown: number;
  size: number;
}

/** The way through a batch in the order of its file. */
export function CodePages({ path, query, nextCursor, shown, size }: PagesProps) {
  if (!nextCursor && !query.cursor) return null;
  const partial = nextCursor !== null && shown < size;
  const link = buttonClass({ variant: "secondary", size: "sm" });
  const to = (cursor: string | undefined) => listHref(path, { ...query, cursor });
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-[13px] text-muted">
        {partial ? "Looked at 10,000 codes here. Later ones may match as well." : ""}
      </p>
      <div className="flex gap-2">
        {query.cursor && (
          <Link href={to(undefined)} prefetch={false} className={link}>
            First page
          </Link>
        )}
        {nextCursor && (
          <Link href={to(nextCursor)} prefetch={false} className={link}>
            {partial ? "Keep looking" : "Next page"}
          </Link>
        )}
      </div>
    </nav>
  );
}
