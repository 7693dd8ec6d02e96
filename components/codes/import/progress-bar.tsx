interface Props {
  label: string;
  /** From 0 to 1. */
  part: number;
}

/** How far something long is. Drawn, because a style attribute is refused by the page's policy. */
export function ProgressBar({ label, part }: Props) {
  const percent = Math.round(Math.min(Math.max(part, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-2 overflow-hidden rounded-full bg-subtle ring-1 ring-line ring-inset"
    >
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full" aria-hidden>
        <rect width={percent} height="1" className="fill-accent" />
      </svg>
    </div>
  );
}
