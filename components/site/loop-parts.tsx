import type { ReactNode } from "react";

interface BoxProps {
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  hint: string;
  /** Highlights the service itself. */
  strong?: boolean;
}

/** A participant of the loop. */
export function Box({ x, y, width, height, title, hint, strong = false }: BoxProps) {
  const middle = { x: x + width / 2, textAnchor: "middle" as const };
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={14}
        className={strong ? "fill-ink" : "fill-surface stroke-line-strong"}
      />
      <text
        {...middle}
        y={y + height / 2 - 3}
        className={`text-base font-semibold ${strong ? "fill-page" : "fill-ink"}`}
      >
        {title}
      </text>
      <text
        {...middle}
        y={y + height / 2 + 18}
        className={`text-note ${strong ? "fill-page" : "fill-muted"}`}
      >
        {hint}
      </text>
    </g>
  );
}

interface ArrowProps {
  d: string;
  /** The position of the text. */
  x: number;
  y: number;
  anchor?: "start" | "middle" | "end";
  /** The id of the arrow head. */
  head: string;
  children: ReactNode;
}

/** A step of the loop, in the direction of its head. */
export function Arrow({ d, x, y, anchor = "middle", head, children }: ArrowProps) {
  return (
    <g>
      <path d={d} fill="none" strokeWidth={1.75} markerEnd={`url(#${head})`} className="stroke-accent" />
      <text x={x} y={y} textAnchor={anchor} className="fill-ink text-sm">
        {children}
      </text>
    </g>
  );
}

/** The arrow head of one picture. Each picture needs its own, because a hidden one is not drawn. */
export function ArrowHead({ id }: { id: string }) {
  return (
    <defs>
      <marker id={id} viewBox="0 0 8 8" refX={7} refY={4} markerWidth={8} markerHeight={8} orient="auto">
        <path d="M0 0 L8 4 L0 8 Z" className="fill-accent" />
      </marker>
    </defs>
  );
}
