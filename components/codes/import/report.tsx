import { Stat } from "@/components/ui/stat";
import { type Column, Table } from "@/components/ui/table";
import { type CheckReport, REFUSALS, type Refusal } from "@/lib/contract/code-file";
import { counted } from "../words";

type Example = NonNullable<CheckReport["examples"][Refusal]>[number];

const COLUMNS: Column<Example>[] = [
  { header: "Line", cell: ({ line }) => counted(line), numeric: true },
  { header: "Row", cell: ({ text }) => <code className="font-mono text-[13px] break-all">{text}</code> },
  { header: "Where", cell: ({ where }) => where ?? "–" },
];

/** What a file would bring: the counts, and the first rows of each kind that is refused. */
export function Report({ report }: { report: CheckReport }) {
  const refused = (Object.keys(REFUSALS) as Refusal[]).filter((reason) => report.refused[reason]);
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-3 max-sm:*:last:col-span-2 sm:grid-cols-3">
        <Stat name="Rows" value={counted(report.read)} />
        <Stat name="New codes" value={counted(report.fresh)} />
        <Stat name="Refused" value={counted(report.read - report.fresh)} />
      </dl>
      {refused.map((reason) => (
        <Refused key={reason} reason={reason} report={report} />
      ))}
    </div>
  );
}

function Refused({ reason, report }: { reason: Refusal; report: CheckReport }) {
  const { name, advice } = REFUSALS[reason];
  const rows = report.examples[reason] ?? [];
  const count = report.refused[reason] ?? 0;
  return (
    <details className="rounded-xl border border-line bg-surface shadow-xs">
      <summary className="flex min-h-11 flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 text-sm">
        <span className="font-medium">{name}</span>
        <span className="tabular-nums">{counted(count)}</span>
        <span className="text-[13px] text-muted">{advice}</span>
      </summary>
      <div className="grid gap-2 border-t border-line p-3">
        <Table
          label={`Rows: ${name}`}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ line, text }) => `${line} ${text}`}
        />
        {count > rows.length && (
          <p className="px-1 text-[13px] text-muted">
            The first {counted(rows.length)}. The file of refused rows has all of them.
          </p>
        )}
      </div>
    </details>
  );
}
