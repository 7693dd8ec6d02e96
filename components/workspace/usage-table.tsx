import { MeterBar } from "@/components/ui/meter";
import { Section } from "@/components/ui/section";
import { formatMonth, formatNumber } from "@/lib/contract/format";

interface Row {
  key: string;
  requests: number;
  name?: string;
  /** The first day of the month, instead of a name. */
  month?: string;
}

interface Props {
  title: string;
  hint: string;
  header: string;
  empty: string;
  rows: readonly Row[];
}

/** Requests by app or month, with bars to compare them. */
export function UsageTable({ title, hint, header, empty, rows }: Props) {
  const most = Math.max(1, ...rows.map(({ requests }) => requests));
  return (
    <Section title={title} hint={hint}>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <table className="w-full text-sm">
          <thead className="sr-only">
            <tr>
              <th scope="col">{header}</th>
              <th scope="col">Share</th>
              <th scope="col">Requests</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" className="w-2/5 py-1.5 pr-4 text-left font-normal wrap-anywhere">
                  {row.month ? formatMonth(new Date(row.month)) : row.name}
                </th>
                <td className="py-1.5">
                  <MeterBar label={`Requests, ${row.name ?? row.month}`} value={row.requests} max={most} />
                </td>
                <td className="py-1.5 pl-4 text-right tabular-nums">{formatNumber(row.requests)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
