import type { BadgeTone } from "./badge";

interface Props {
  label: string;
  value: number;
  max: number;
  tone?: BadgeTone;
}

const FILL: Record<BadgeTone, string> = {
  neutral: "fill-muted",
  accent: "fill-accent",
  good: "fill-good",
  warn: "fill-warn",
  bad: "fill-bad",
};

/** A bar that shows a share. Drawn as SVG, because the page's policy refuses style attributes. */
export function MeterBar({ label, value, max, tone = "accent" }: Props) {
  const part = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers give <meter> a look that cannot be styled in one way
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      className="h-1.5 overflow-hidden rounded-full bg-subtle ring-1 ring-line ring-inset"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full" aria-hidden>
        <rect width={part * 100} height="1" className={FILL[tone]} />
      </svg>
    </div>
  );
}
