import { workspacePath } from "@/components/shell/navigation";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import { formatDayAndMonth, formatNumber } from "@/lib/contract/format";
import type { Quota } from "@/lib/contract/overview";
import { quotaTone } from "@/lib/contract/quota";

/** Requests this month of all apps in the workspace, beside the limit of the plan. */
export function QuotaCard({ used, limit, resetsAt, workspaceId }: Quota & { workspaceId: string }) {
  const percent = limit > 0 ? Math.round((used / limit) * 100) : 0;
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex items-baseline justify-between gap-3">
        <span>
          <span className="font-semibold tabular-nums">{formatNumber(used)}</span>
          <span className="text-muted"> of {formatNumber(limit)} requests</span>
        </span>
        <span className="text-muted tabular-nums">{percent}%</span>
      </p>
      <MeterBar label="Requests this month" value={used} max={limit} tone={quotaTone(used, limit)} />
      <p className="text-note text-muted">
        {used >= limit
          ? "API requests are refused: no codes are assigned. "
          : "Beyond the limit, API requests are refused. "}
        All apps of the workspace; resets on {formatDayAndMonth(resetsAt)}, UTC.{" "}
        <Link
          href={`${workspacePath(workspaceId)}/plan`}
          className="text-accent underline underline-offset-4"
        >
          What the limit means
        </Link>
      </p>
    </div>
  );
}
