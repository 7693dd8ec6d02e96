import type { ReactNode } from "react";

interface Props {
  name: string;
  value: ReactNode;
  /** A comparison or an explanation. */
  note?: ReactNode;
}

/** One number with its name. Several are in a `<dl>`. */
export function Stat({ name, value, note }: Props) {
  return (
    <div className="grid content-start gap-1 rounded-xl border border-line bg-surface px-4 py-3.5 shadow-xs">
      <dt className="text-note text-muted">{name}</dt>
      <dd className="grid gap-0.5">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">{value}</span>
        {note && <span className="text-note text-muted">{note}</span>}
      </dd>
    </div>
  );
}
