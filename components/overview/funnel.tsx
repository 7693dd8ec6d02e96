import { ArrowDownRight, ArrowRight, ArrowUpRight } from "lucide-react";
import { Link } from "@/components/ui/link";
import { formatNumber, formatPercent } from "@/lib/contract/format";
import { type OverviewQuery, STEP_NAMES, STEPS, type Step, type Trend } from "@/lib/contract/overview";
import { overviewAddress } from "./address";
import { rangeNames } from "./labels";

interface DeltaProps {
  now: number;
  before: number;
  /** Name of the period of `before`, such as "previous 7 days". */
  period: string;
}

const LOOKS = {
  up: { Icon: ArrowUpRight, look: "bg-good-soft text-good", word: "more" },
  down: { Icon: ArrowDownRight, look: "bg-bad-soft text-bad", word: "less" },
  same: { Icon: ArrowRight, look: "bg-subtle text-muted", word: "no change" },
};

/** The change of a number from the previous period. */
function Delta({ now, before, period }: DeltaProps) {
  if (before === 0 && now === 0) return null;
  const percent = before === 0 ? undefined : Math.round(((now - before) / before) * 100);
  const { Icon, look, word } = LOOKS[now > before ? "up" : now < before ? "down" : "same"];
  const size = percent === undefined ? "new" : `${formatNumber(Math.abs(percent))}%`;
  return (
    <span
      title={`${formatNumber(before)} in the ${period}`}
      className={`inline-flex h-5 items-center gap-0.5 rounded-full pr-2 pl-1 text-xs font-medium tabular-nums ${look}`}
    >
      <Icon className="size-3.5" aria-hidden />
      {size}
      <span className="sr-only">{` ${percent === undefined ? "" : word}, ${formatNumber(before)} in the ${period}`}</span>
    </span>
  );
}

interface Props {
  appId: string;
  query: OverviewQuery;
  trend: Trend;
}

const OF: Record<Step, string> = {
  clicked: "",
  assigned: "of clicks",
  confirmed: "of codes",
  earned: "of confirmed",
  claimed: "of earned",
};

/** Whether a step has figures for the filter: a click happens before the platform is known. */
const isKnown = (step: Step, { platform }: OverviewQuery) => step !== "clicked" || !platform;

/** The band from a step's height to that of the next one. */
function Band({ from, to, active }: { from: number; to: number; active: boolean }) {
  const y = (part: number) => 50 - Math.max(part, 0.02) * 50;
  const [a, b] = [y(from), y(to)];
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden className="h-12 w-full max-sm:hidden">
      <path
        d={`M0,${a} C50,${a} 50,${b} 100,${b} L100,${100 - b} C50,${100 - b} 50,${100 - a} 0,${100 - a} Z`}
        className={active ? "fill-accent" : "fill-accent/35"}
      />
    </svg>
  );
}

function Cell({ step, appId, query, trend }: Props & { step: Step }) {
  const index = STEPS.indexOf(step);
  const known = isKnown(step, query);
  const previous = STEPS[index - 1];
  const next = STEPS[index + 1] ?? step;
  const most = Math.max(1, ...STEPS.filter((name) => isKnown(name, query)).map((name) => trend.now[name]));
  const part = (name: Step) => trend.now[isKnown(name, query) ? name : "assigned"] / most;
  const rate =
    previous && isKnown(previous, query) ? formatPercent(trend.now[step], trend.now[previous]) : undefined;
  const note = known ? rate && `${rate} ${OF[step]}` : "Not known by platform";
  return (
    <li className="grid border-line max-sm:border-b max-sm:last:border-0 sm:border-r sm:last:border-0">
      <Link
        href={overviewAddress(appId, query, { step })}
        scroll={false}
        aria-current={step === query.step ? "true" : undefined}
        className="group grid content-between gap-3 overflow-hidden pt-3.5 hover:bg-subtle/60 aria-[current]:shadow-[inset_0_2px_0_var(--accent)] max-sm:pb-3.5 max-sm:aria-[current]:shadow-[inset_2px_0_0_var(--accent)]"
      >
        <span className="grid gap-1 px-4 max-sm:grid-cols-[1fr_auto] max-sm:items-center">
          <span className="text-note text-muted group-aria-[current]:text-ink">{STEP_NAMES[step]}</span>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
            <span className="text-2xl font-semibold tracking-tight tabular-nums max-sm:text-lg">
              {known ? formatNumber(trend.now[step]) : "–"}
            </span>
            {known && (
              <Delta
                now={trend.now[step]}
                before={trend.before[step]}
                period={rangeNames(query.range, trend).before}
              />
            )}
          </span>
          <span className="min-h-4 text-xs text-muted max-sm:col-span-2 max-sm:empty:hidden">{note}</span>
        </span>
        <Band from={part(step)} to={part(next)} active={step === query.step} />
      </Link>
    </li>
  );
}

/** The steps from a click to a claimed reward with their rates and changes; the selected step is in the chart. */
export function OverviewFunnel(props: Props) {
  return (
    <ol aria-label="Funnel" className="grid border-b border-line sm:grid-cols-5">
      {STEPS.map((step) => (
        <Cell key={step} step={step} {...props} />
      ))}
    </ol>
  );
}
