import { LineChart } from "@/components/chart/line-chart";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import { formatDayAndMonth, formatNumber } from "@/lib/contract/format";
import {
  type OverviewQuery,
  STEP_NAMES,
  STEPS,
  type Trend,
  type TrendBucket,
  type TrendNote,
} from "@/lib/contract/overview";
import { overviewAddress } from "./address";
import { periodName, rangeNames } from "./labels";

interface Props {
  query: OverviewQuery;
  trend: Trend;
  notes: readonly TrendNote[];
}

function describe({ query, trend }: Omit<Props, "notes">): string {
  const { long, before } = rangeNames(query.range, trend);
  const { step } = query;
  const most = trend.buckets.reduce((best, bucket) => (bucket.now[step] > best.now[step] ? bucket : best));
  const peak = most.now[step] > 0 ? `, most on ${periodName(most.start, trend.unit, "long")}` : "";
  return `${long}: ${formatNumber(trend.now[step])}${peak}; ${before}: ${formatNumber(trend.before[step])}.`;
}

/** The selected step over time, drawn over the line of the previous period; a table with all numbers on request. */
export function TrendChart({ appId, query, trend, notes }: Props & { appId: string }) {
  const { step, range, table } = query;
  const { buckets, unit, unfinished } = trend;
  const { long, before } = rangeNames(range, trend);
  const previous = `${before.charAt(0).toUpperCase()}${before.slice(1)}`;
  const columns = [
    {
      header: unit === "day" ? "Day (UTC)" : "Month (UTC)",
      cell: ({ start }: TrendBucket) => (
        <span className="whitespace-nowrap">{periodName(start, unit, "long")}</span>
      ),
    },
    ...STEPS.map((name) => ({
      header: STEP_NAMES[name],
      numeric: true,
      cell: ({ now }: TrendBucket) => (name === "clicked" && query.platform ? "–" : formatNumber(now[name])),
    })),
  ];
  return (
    <div className="grid grid-cols-1 gap-1 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2 pb-2 text-note text-muted">
        <h3 className="font-medium text-ink">
          {STEP_NAMES[step]} by {unit}
        </h3>
        <p className="flex items-center gap-4">
          <span className="flex items-center gap-1.5">
            <span className="h-0.5 w-4 rounded-full bg-accent" aria-hidden />
            {long}
          </span>
          <span className="flex items-center gap-1.5">
            <span className="w-4 border-t-2 border-dashed border-line-strong" aria-hidden />
            {previous}
          </span>
        </p>
      </div>
      <LineChart
        title={`${STEP_NAMES[step]} by ${unit}`}
        description={describe({ query, trend })}
        short={buckets.map(({ start }) => periodName(start, unit, "short"))}
        long={buckets.map(({ start }) => periodName(start, unit, "long"))}
        now={{ name: STEP_NAMES[step], values: buckets.map(({ now }) => now[step]) }}
        before={{ name: previous, values: buckets.map(({ before }) => before[step]) }}
        unfinished={unfinished}
        notes={notes.map(({ bucket, campaign, what }) => ({ bucket, text: `${campaign.name} ${what}` }))}
      />
      {notes.length > 0 && <Notes appId={appId} notes={notes} />}
      <Link
        href={overviewAddress(appId, query, { table: table ? undefined : "shown" })}
        scroll={false}
        aria-expanded={table !== undefined}
        className="w-fit rounded-md py-1 text-note text-muted hover:text-ink"
      >
        {table ? "Hide the table" : "Show as a table"}
      </Link>
      {table && (
        <div className="max-h-96 overflow-y-auto pt-3">
          <Table
            label={`Figures by ${unit}`}
            columns={columns}
            rows={buckets}
            rowKey={({ start }) => start}
          />
        </div>
      )}
    </div>
  );
}

/** Maximum notes in the list below the chart, which names the newest. */
const MOST_NOTES = 6;

/** The starts and ends of campaigns that the chart marks. */
function Notes({ appId, notes }: { appId: string; notes: readonly TrendNote[] }) {
  return (
    <ul
      aria-label="Campaigns in this period"
      className="flex flex-wrap gap-x-4 gap-y-1 pb-1 text-note text-muted"
    >
      {notes.slice(-MOST_NOTES).map(({ day, campaign, what }) => (
        <li key={`${what} ${campaign.id}`} className="flex min-w-0 items-center gap-1.5">
          <span className="size-2 shrink-0 rotate-45 bg-muted" aria-hidden />
          <span className="whitespace-nowrap tabular-nums">{formatDayAndMonth(new Date(day))}</span>
          <Link
            href={`/dashboard/apps/${appId}/campaigns/${campaign.id}`}
            className="max-w-56 truncate text-ink hover:underline"
          >
            {campaign.name}
          </Link>
          {what}
        </li>
      ))}
    </ul>
  );
}
