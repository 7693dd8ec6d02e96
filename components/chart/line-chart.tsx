import { useId } from "react";
import { formatCompact } from "@/lib/contract/format";
import { type ChartLine, HoverLoader } from "./hover-loader";
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

function Lines({ now, before, scale }: { now: ChartLine; before: ChartLine; scale: Scale }) {
  const shade = useId();
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
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
        className="fill-none stroke-accent stroke-2"
      />
    </svg>
  );
}

/**
 * A line over that of the previous period, drawn on the server as attributes and classes, without scripts or style
 * attributes. The hover layer is loaded separately; a table below shows the same values.
 */
export function LineChart({ title, description, short, long, now, before }: Props) {
  const id = useId();
  const scale = scaleOf([...now.values, ...before.values]);
  return (
    <div className="pt-2 pr-5 pb-8 pl-10">
      <div className="relative h-56 sm:h-64">
        <svg role="img" aria-labelledby={`${id}t ${id}d`} className="size-full overflow-visible">
          <title id={`${id}t`}>{title}</title>
          <desc id={`${id}d`}>{description}</desc>
          <Axes scale={scale} short={short} />
          <Lines now={now} before={before} scale={scale} />
        </svg>
        <HoverLoader long={long} now={now} before={before} top={scale.ticks.at(-1) ?? 1} />
      </div>
    </div>
  );
}
