import { Stat } from "@/components/ui/stat";
import { type Column, Table } from "@/components/ui/table";
import { type CheckReport, ROW_REFUSALS, type RowRefusal } from "@/lib/contract/code-file";
import { formatNumber } from "@/lib/contract/format";

type Example = NonNullable<CheckReport["examples"][RowRefusal]>[number];

const COLUMNS: Column<Example>[] = [
  { header: "Line", cell: ({ line }) => formatNumber(line), numeric: true },
  { header: "Row", cell: ({ text }) => <code className="font-mono text-note wrap-anywhere">{text}</code> },
  { header: "Where", cell: ({ where }) => where ?? "–" },
];

/** The content of a checked file: the counts, and the first refused rows by reason. */
export function CheckReportView({ report }: { report: CheckReport }) {
  const refused = (Object.keys(ROW_REFUSALS) as RowRefusal[]).filter((reason) => report.refused[reason]);
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-3 max-sm:*:last:col-span-2 sm:grid-cols-3">
        <Stat name="Rows" value={formatNumber(report.read)} />
        <Stat name="New codes" value={formatNumber(report.fresh)} />
        <Stat name="Refused" value={formatNumber(report.read - report.fresh)} />
      </dl>
      {refused.map((reason) => (
        <Refused key={reason} reason={reason} report={report} />
      ))}
    </div>
  );
}

function Refused({ reason, report }: { reason: RowRefusal; report: CheckReport }) {
  const { name, advice } = ROW_REFUSALS[reason];
  const rows = report.examples[reason] ?? [];
  const count = report.refused[reason] ?? 0;
  return (
    <details className="rounded-xl border border-line bg-surface shadow-xs">
      <summary className="flex min-h-11 flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm">
        <span className="font-medium">{name}</span>
        <span className="tabular-nums">{formatNumber(count)}</span>
        <span className="text-note text-muted">{advice}</span>
      </summary>
      <div className="grid gap-2 border-t border-line p-3">
        <Table
          label={`Rows: ${name}`}
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => String(rows.indexOf(row))}
        />
        {count > rows.length && (
          <p className="px-1 text-note text-muted">
            These are the first {formatNumber(rows.length)}. Download the refused rows to see all of them.
          </p>
        )}
      </div>
    </details>
  );
}
