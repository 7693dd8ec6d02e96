import { Meter } from "@/components/ui/meter";
import type { Quota } from "@/lib/contract/overview";
import { count, dayName } from "./words";

/** From here on, in hundredths, it is worth a warning. */
const WARN = 80;

/** Requests of the month against the plan, for all apps of the workspace. */
export function QuotaCard({ used, limit, resetsAt }: Quota) {
  const percent = limit > 0 ? Math.round((used / limit) * 100) : 0;
  const tone = percent >= 100 ? "bad" : percent >= WARN ? "warn" : "accent";
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex items-baseline justify-between gap-3">
        <span>
          <span className="font-semibold tabular-nums">{count(used)}</span>
          <span className="text-muted"> of {count(limit)} requests</span>
        </span>
        <span className="text-muted tabular-nums">{percent}%</span>
      </p>
      <Meter label="Requests of this month" value={used} max={limit} tone={tone} />
      <p className="text-[13px] text-muted">
        All apps of the workspace. Starts anew on {dayName(resetsAt)}, UTC.
      </p>
    </div>
  );
}
