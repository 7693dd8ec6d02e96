import { useId } from "react";
import { formatCompact, formatNumber } from "@/lib/contract/format";
import { type ChartLine, type ChartNote, HoverLoader } from "./hover-loader";
import { across, namedBuckets, pathsOf, type Scale, SIDE, scaleOf } from "./scale";

interface Props {
  title: string;
  /** A description of the lines for screen readers. */
  description: string;
  /** Names of the buckets: short ones for the axis, long ones for the table and the pointer. */
  short: readonly string[];
  long: readonly string[];
  now: ChartLine;
  before: ChartLine;
  /** Whether the last value still grows: the line to it is dashed. */
  unfinished: boolean;
  /** Events of a bucket, such as the start of a campaign. */
  notes: readonly ChartNote[];
}

function Axes({ scale, short }: { scale: Scale; short: readonly string[] }) {
  return (
    <>
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line
            x1="0"
            x2="100%"
            y1={`${scale.percent(tick)}%`}
            y2={`${scale.percent(tick)}%`}
            className="stroke-line"
          />
          <text
            x="-8"
            y={`${scale.percent(tick)}%`}
            dy="4"
            textAnchor="end"
            className="fill-muted text-xs tabular-nums"
          >
            {formatCompact(tick)}
          </text>
        </g>
      ))}
      {namedBuckets(short.length).map((index) => (
        <text
          key={short[index]}
          x={`${across(index, short.length)}%`}
          y="100%"
          dy="22"
          textAnchor="middle"
          className="fill-muted text-xs"
        >
          {short[index]}
        </text>
      ))}
    </>
  );
}

function Lines({
  now,
  before,
  scale,
  unfinished,
}: Pick<Props, "now" | "before" | "unfinished"> & { scale: Scale }) {
  const shade = useId();
  const finished = useId();
  const count = now.values.length;
  // The end of the last finished bucket, in the square.
  const edge = unfinished && count > 1 ? (across(count - 2, count) / 100) * SIDE : 2 * SIDE;
  const [present, past] = [pathsOf(now.values, scale), pathsOf(before.values, scale)];
  return (
    // The square is stretched, but its lines keep their width.
    <svg
      aria-hidden
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      preserveAspectRatio="none"
      width="100%"
      height="100%"
      className="overflow-visible"
    >
      <defs>
        <linearGradient id={shade} x1="0" x2="0" y1="0" y2="1" className="text-accent">
          <stop offset="0" stopColor="currentColor" stopOpacity="0.22" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
        <clipPath id={finished}>
          <rect x={-SIDE} y={-SIDE} width={SIDE + edge} height={3 * SIDE} />
        </clipPath>
        <clipPath id={`${finished}-rest`}>
          <rect x={edge} y={-SIDE} width={2 * SIDE} height={3 * SIDE} />
        </clipPath>
      </defs>
      <path
        d={past.line}
        vectorEffect="non-scaling-stroke"
        strokeDasharray="4 4"
        className="fill-none stroke-line-strong stroke-[1.5]"
      />
      <path d={present.area} fill={`url(#${shade})`} />
      <path
        d={present.line}
        clipPath={`url(#${finished})`}
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
        className="fill-none stroke-accent stroke-2"
      />
      {unfinished && (
        <path
          d={present.line}
          clipPath={`url(#${finished}-rest)`}
          vectorEffect="non-scaling-stroke"
          strokeDasharray="3 4"
          data-unfinished=""
          className="fill-none stroke-accent stroke-2"
        />
      )}
    </svg>
  );
}

/** A vertical line at each bucket that has a note. */
function Marks({ notes, count }: { notes: readonly ChartNote[]; count: number }) {
  return [...new Set(notes.map(({ bucket }) => bucket))].map((bucket) => {
    const x = `${across(bucket, count)}%`;
    return (
      <g key={bucket} className="text-muted">
        <line x1={x} x2={x} y1="0" y2="100%" strokeDasharray="2 3" className="stroke-current opacity-60" />
        <svg aria-hidden x={x} y="0" className="overflow-visible">
          <path d="M0,-4 4,0 0,4 -4,0 Z" className="fill-current" />
        </svg>
      </g>
    );
  });
}

/**
 * A line over that of the previous period, drawn on the server as attributes and classes, without scripts or style
 * attributes. The hover layer is loaded separately; a table below shows the same values.
 */
export function LineChart({ title, description, short, long, now, before, unfinished, notes }: Props) {
  const id = useId();
  const scale = scaleOf([...now.values, ...before.values]);
  return (
    <div className="pt-2 pr-5 pb-8 pl-10">
      <div className="relative h-56 sm:h-64">
        <svg role="img" aria-labelledby={`${id}t ${id}d`} className="size-full overflow-visible">
          <title id={`${id}t`}>{title}</title>
          <desc id={`${id}d`}>{description}</desc>
          <Axes scale={scale} short={short} />
          <Marks notes={notes} count={short.length} />
          <Lines now={now} before={before} scale={scale} unfinished={unfinished} />
        </svg>
        <HoverLoader long={long} now={now} before={before} notes={notes} top={scale.ticks.at(-1) ?? 1} />
      </div>
    </div>
  );
}

/**
 * Confirmed referrals of the last days as a small line without axes, with their sum for screen readers; `empty` while the
 * line would be flat, as on a first day or after a month without any. Today is in the sum but not drawn, because it is
 * not over.
 */
export function RecentConfirmed({ values, empty }: { values: readonly number[]; empty?: string }) {
  const drawn = values.slice(0, -1);
  if (drawn.every((value) => value === 0)) return empty;
  const { line, area } = pathsOf(drawn, scaleOf(values));
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <svg
      role="img"
      aria-label={`${formatNumber(total)} confirmed in the last ${values.length} days`}
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      preserveAspectRatio="none"
      className="h-6 w-20 overflow-visible text-accent"
    >
      <path d={area} className="fill-current opacity-15" />
      <path
        d={line}
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
        className="fill-none stroke-current stroke-[1.5]"
      />
    </svg>
  );
}
