import type { ReactNode } from "react";
import { LocalTime } from "@/components/ui/local-time";
import { Stat } from "@/components/ui/stat";
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
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat name="Free codes" value={counted(free)} note={aside.join(", ") || undefined} />
      <Stat
        name="Lasts for"
        value={<Words>{daysLeft === null || free === 0 ? "–" : daysOf(daysLeft)}</Words>}
        note={daysLeft === null ? "None given this week" : "At this week's pace"}
      />
      <Stat
        name="Next to expire"
        value={<Words>{nextExpiry ? <LocalTime at={nextExpiry.at} shape="day" /> : "–"}</Words>}
        note={nextExpiry ? codesOf(nextExpiry.codes) : "No end set"}
      />
      <Stat name="Given so far" value={counted(given)} note={`${counted(pool.confirmed)} confirmed`} />
    </dl>
  );
}

/** Words in the place of a number, in a size that fits a phone. */
function Words({ children }: { children: ReactNode }) {
  return <span className="text-lg leading-8">{children}</span>;
}
