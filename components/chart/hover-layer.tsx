"use client";

import { type PointerEvent, useState } from "react";
import { formatNumber } from "@/lib/contract/format";

import type { ChartLine, HoverProps } from "./hover-loader";

/** A marker at the bucket under the pointer, with its values. */
export function HoverLayer(props: HoverProps) {
  const { long } = props;
  const [index, setIndex] = useState<number>();
  const last = Math.max(1, long.length - 1);
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const nearest = Math.round(((event.clientX - left) / width) * last);
    setIndex(Math.min(Math.max(nearest, 0), long.length - 1));
  };
  return (
    // Hidden from screen readers, because the table below the chart shows the same values.
    <div
      aria-hidden
      className="absolute inset-0 touch-pan-y"
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onPointerLeave={() => setIndex(undefined)}
    >
      {index !== undefined && <Marker {...props} index={index} x={(index / last) * 100} />}
    </div>
  );
}

function Marker({ long, now, before, notes, top, index, x }: HoverProps & { index: number; x: number }) {
  const value = (line: ChartLine) => line.values[index] ?? 0;
  const y = (line: ChartLine) => `${100 - (value(line) / top) * 100}%`;
  // The policy refuses style attributes in the HTML, but not styles set by a script.
  const side = x > 50 ? { right: `calc(${100 - x}% + 12px)` } : { left: `calc(${x}% + 12px)` };
  return (
    <>
      <svg aria-hidden className="size-full overflow-visible">
        <line x1={`${x}%`} x2={`${x}%`} y1="0" y2="100%" className="stroke-line-strong" />
        <circle cx={`${x}%`} cy={y(before)} r="3.5" className="fill-surface stroke-line-strong stroke-2" />
        <circle cx={`${x}%`} cy={y(now)} r="4" className="fill-accent stroke-surface stroke-2" />
      </svg>
      <div
        style={side}
        className="pointer-events-none absolute top-2 grid gap-1 rounded-lg border border-line bg-raised px-3 py-2 text-xs whitespace-nowrap shadow-md"
      >
        <span className="font-medium">{long[index]}</span>
        <Entry line={now} value={value(now)} dot="bg-accent" />
        <Entry line={before} value={value(before)} dot="bg-line-strong" />
        {notes
          .filter(({ bucket }) => bucket === index)
          .map(({ text }) => (
            <span key={text} className="flex max-w-56 items-center gap-2 text-muted">
              <span className="size-2 shrink-0 rotate-45 bg-muted" />
              <span className="truncate">{text}</span>
            </span>
          ))}
      </div>
    </>
  );
}

function Entry({ line, value, dot }: { line: ChartLine; value: number; dot: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className={`size-2 rounded-full ${dot}`} />
      <span className="text-muted">{line.name}</span>
      <span className="ml-auto pl-4 font-medium tabular-nums">{formatNumber(value)}</span>
    </span>
  );
}
