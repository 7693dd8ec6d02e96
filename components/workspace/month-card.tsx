import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { MeterBar } from "@/components/ui/meter";
import { Section } from "@/components/ui/section";
import { formatLongDate, formatNumber, formatRelative } from "@/lib/contract/format";
import { QUOTA_WARN_PERCENT, quotaTone } from "@/lib/contract/quota";
import type { Plan } from "@/lib/contract/workspace";

interface Report {
  limit: number;
  used: number;
  resetAt: Date;
  projected: number | null;
}

/** The month so far: used and remaining requests, and a projection. */
export function MonthCard({ plan, report }: { plan: Plan; report: Report }) {
  const { limit, used, resetAt } = report;
  const left = Math.max(0, limit - used);
  return (
    <Section
      title="This month"
      hint={`Resets on ${formatLongDate(resetAt)}, 00:00 UTC (${formatRelative(resetAt)}).`}
      action={<Badge tone="accent">{`${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`}</Badge>}
    >
      <div className="grid gap-2.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-2xl font-semibold tracking-tight tabular-nums">{formatNumber(used)}</span>
          <span className="text-sm text-muted tabular-nums">
            of {formatNumber(limit)} requests, {formatNumber(left)} left
          </span>
        </p>
        <MeterBar
          label="Requests this month"
          value={Math.min(used, limit)}
          max={limit}
          tone={quotaTone(used, limit)}
        />
      </div>
      <Outlook report={report} day={formatLongDate(resetAt)} />
      <p className="text-note text-muted">
        Owners and admins get an email at {QUOTA_WARN_PERCENT}% and at 100%. Webhook endpoints get an event.
      </p>
    </Section>
  );
}

function Outlook({ report: { limit, used, projected }, day }: { report: Report; day: string }) {
  if (used >= limit) {
    return (
      <Callout tone="bad">
        The quota is used up. API requests are refused until {day}, unless the operator changes the plan.
      </Callout>
    );
  }
  if (projected === null || used === 0) return null;
  if (projected > limit) {
    return (
      <Callout tone="warn">
        At this pace, you need about {formatNumber(projected)} requests this month. Requests above your quota
        are refused.
      </Callout>
    );
  }
  return (
    <p className="text-sm">At this pace, you use about {formatNumber(projected)} requests this month.</p>
  );
}
