import { LineChart } from "@/components/chart/line-chart";
import { Table } from "@/components/ui/table";
import { type OverviewQuery, STEPS, type Trend } from "@/lib/contract/overview";
import { bucketName, count, RANGE_NAMES, STEP_NAMES } from "./words";

interface Props {
  query: OverviewQuery;
  trend: Trend;
}

function describe({ query, trend }: Props): string {
  const { long, before } = RANGE_NAMES[query.range];
  const { step } = query;
  const most = trend.buckets.reduce((best, one) => (one.now[step] > best.now[step] ? one : best));
  const peak = most.now[step] > 0 ? `, most on ${bucketName(most.start, trend.unit, "long")}` : "";
  return `${long}: ${count(trend.now[step])}${peak}; ${before}: ${count(trend.before[step])}.`;
}

/** The chosen step over time, over the span before, with all its numbers in a table. */
export function TrendChart({ query, trend }: Props) {
  const { step, range } = query;
  const { buckets, unit } = trend;
  const columns = [
    {
      header: unit === "day" ? "Day (UTC)" : "Month (UTC)",
      cell: (one: (typeof buckets)[0]) => bucketName(one.start, unit, "long"),
    },
    ...STEPS.map((name) => ({
      header: STEP_NAMES[name],
      numeric: true,
      cell: (one: (typeof buckets)[0]) => (name === "clicked" && query.platform ? "–" : count(one.now[name])),
    })),
  ];
  return (
    <div className="grid grid-cols-1 gap-1 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2 pb-2 text-[13px] text-muted">
        <h3 className="font-medium text-ink">
          {STEP_NAMES[step]} by {unit}
        </h3>
        <p className="flex items-center gap-4">
          <span className="flex items-center gap-1.5">
            <span className="h-0.5 w-4 rounded-full bg-accent" aria-hidden />
            {RANGE_NAMES[range].long}
          </span>
          <span className="flex items-center gap-1.5">
            <span className="w-4 border-t-2 border-dashed border-line-strong" aria-hidden />
            Before
          </span>
        </p>
      </div>
      <LineChart
        title={`${STEP_NAMES[step]} by ${unit}`}
        description={describe({ query, trend })}
        short={buckets.map(({ start }) => bucketName(start, unit, "short"))}
        long={buckets.map(({ start }) => bucketName(start, unit, "long"))}
        now={{ name: STEP_NAMES[step], values: buckets.map((one) => one.now[step]) }}
        before={{ name: "Before", values: buckets.map((one) => one.before[step]) }}
      />
      <details className="text-sm">
        <summary className="w-fit rounded-md py-1 text-[13px] text-muted hover:text-ink">
          Show as a table
        </summary>
        <div className="max-h-96 overflow-y-auto pt-3">
          <Table
            label={`Figures by ${unit}`}
            columns={columns}
            rows={buckets}
            rowKey={({ start }) => start}
          />
        </div>
      </details>
    </div>
  );
}
