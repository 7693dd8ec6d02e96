import { workspacePath } from "@/components/shell/navigation";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import { formatDayAndMonth, formatNumber, formatPercent } from "@/lib/contract/format";
import type { Quota } from "@/lib/contract/overview";
import { quotaTone } from "@/lib/contract/quota";

/** Requests this month of all apps in the workspace, beside the limit of the plan. */
export function QuotaCard({ used, limit, resetsAt, workspaceId }: Quota & { workspaceId: string }) {
  return (
    <div className="grid gap-2 text-sm">
      <p className="flex items-baseline justify-between gap-3">
        <span>
          <span className="font-semibold tabular-nums">{formatNumber(used)}</span>
          <span className="text-muted"> of {formatNumber(limit)} requests</span>
        </span>
        <span className="text-muted tabular-nums">{formatPercent(Math.min(used, limit), limit)}</span>
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

/** A bar above every page of an app while its requests are refused; the overview lists the problem itself. */
export function QuotaUsedUp({ used, limit, resetsAt, workspaceId }: Quota & { workspaceId: string }) {
  if (used < limit) return null;
  return (
    <div className="group-has-[#problems]/frame:hidden">
      <Callout tone="bad">
        <p>
          The monthly quota is used up: API requests are refused until {formatDayAndMonth(resetsAt)}.{" "}
          <Link
            href={`${workspacePath(workspaceId)}/plan`}
            className="font-medium underline underline-offset-2"
          >
            Open the plan
          </Link>
        </p>
      </Callout>
    </div>
  );
}
