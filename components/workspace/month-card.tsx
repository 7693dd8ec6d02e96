import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { Meter } from "@/components/ui/meter";
import { Section } from "@/components/ui/section";
import { nearTime } from "@/components/ui/time";
import type { Plan } from "@/lib/contract/plan";

interface Report {
  limit: number;
  used: number;
  resetAt: Date;
  projected: number | null;
}

const count = (value: number) => value.toLocaleString("en");
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** The month until now: what is used, what is left, and how it will end. */
export function MonthCard({ plan, report }: { plan: Plan; report: Report }) {
  const { limit, used, resetAt } = report;
  const left = Math.max(0, limit - used);
  const tone = used >= limit ? "bad" : used >= limit * 0.8 ? "warn" : "accent";
  return (
    <Section
      title="This month"
      hint={`Starts again on ${day.format(resetAt)}, 00:00 UTC (${nearTime(resetAt)}).`}
      action={<Badge tone="accent">{`${plan.charAt(0).toUpperCase()}${plan.slice(1)} plan`}</Badge>}
    >
      <div className="grid gap-2.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-2xl font-semibold tracking-tight tabular-nums">{count(used)}</span>
          <span className="text-sm text-muted tabular-nums">
            of {count(limit)} requests, {count(left)} left
          </span>
        </p>
        <Meter label="Requests of this month" value={Math.min(used, limit)} max={limit} tone={tone} />
      </div>
      <Outlook report={report} day={day.format(resetAt)} />
      <p className="text-[13px] text-muted">
        Owners and admins get a mail at 80 and at 100 percent; webhooks get <code>quota.warning</code>.
      </p>
    </Section>
  );
}

function Outlook({ report: { limit, used, projected }, day }: { report: Report; day: string }) {
  if (used >= limit) {
    return (
      <Callout tone="bad">
        API requests are refused with RATE_LIMITED until {day}, or until the operator changes the plan.
      </Callout>
    );
  }
  if (projected === null || used === 0) return null;
  if (projected > limit) {
    return (
      <Callout tone="warn">
        At this pace the month needs about {count(projected)} requests: more than there are. The rest will be
        refused.
      </Callout>
    );
  }
  return <p className="text-sm">At this pace the month ends at about {count(projected)} requests.</p>;
}
