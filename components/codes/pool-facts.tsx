import type { ReactNode } from "react";
import { LocalTime } from "@/components/ui/local-time";
import type { PoolView } from "./types";
import { codesOf, counted, daysOf } from "./words";

/** How a pool stands: what is left, for how long, and what ends next. */
export function PoolFacts({ pool }: { pool: PoolView }) {
  const { free, daysLeft, nextExpiry, given, quarantined, expired } = pool;
  const aside = [
    quarantined > 0 && `${counted(quarantined)} quarantined`,
    expired > 0 && `${counted(expired)} expired`,
  ].filter(Boolean);
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-surface shadow-xs lg:grid-cols-4">
      <Fact
        name="Free codes"
        value={counted(free)}
        note={aside.join(", ") || `Low at ${counted(pool.lowStock)}`}
      />
      <Fact
        name="Lasts for"
        value={daysLeft === null || free === 0 ? "–" : daysOf(daysLeft)}
        note={daysLeft === null ? "None given this week" : "At this week's pace"}
      />
      <Fact
        name="Next to expire"
        value={nextExpiry ? <LocalTime at={nextExpiry.at} shape="day" /> : "–"}
        note={nextExpiry ? codesOf(nextExpiry.codes) : "No end set"}
      />
      <Fact name="Given so far" value={counted(given)} note={`${counted(pool.confirmed)} confirmed`} />
    </dl>
  );
}

/** One number of a strip: the lines between them are the edges that overlap. */
function Fact({ name, value, note }: { name: string; value: ReactNode; note: string }) {
  return (
    <div className="-mt-px -ml-px grid content-start gap-0.5 border-t border-l border-line px-4 py-3">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="grid">
        <span className="text-lg font-semibold tracking-tight tabular-nums">{value}</span>
        <span className="text-[13px] text-muted">{note}</span>
      </dd>
    </div>
  );
}
