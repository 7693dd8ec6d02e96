import type { ReactNode } from "react";

interface Fact {
  name: string;
  value: ReactNode;
  action?: ReactNode;
}

/** The properties of one thing, a line each. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
      {facts.map(({ name, value, action }) => (
        <div
          key={name}
          className="grid min-h-13 grid-cols-[1fr_auto] items-center gap-x-4 px-5 py-2.5 sm:grid-cols-[11rem_1fr_auto]"
        >
          <dt className="col-span-2 text-note text-muted sm:col-span-1">{name}</dt>
          <dd className="col-span-2 flex min-h-8 items-center justify-between gap-3 text-sm wrap-anywhere">
            {value ?? <span className="text-muted">Not set</span>}
            {action}
          </dd>
        </div>
      ))}
    </dl>
  );
}
