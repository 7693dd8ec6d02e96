import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { TeamStep } from "@/components/ui/empty-state";
import { MeterBar } from "@/components/ui/meter";
import { Section } from "@/components/ui/section";
import { formatLongDate, formatNumber, formatRelative } from "@/lib/contract/format";
import { QUOTA_WARN_PERCENT, quotaTone, quotaWarnLine } from "@/lib/contract/quota";
import type { Plan } from "@/lib/contract/workspace";
import { CHANGE_PLAN, planAbove } from "./plan-table";

interface Report {
  limit: number;
  used: number;
  resetAt: Date;
  projected: number | null;
}

interface MoreRequestsProps {
  workspace: { id: string; name: string };
  /** Whether the reader's role decides on the plan. */
  admin: boolean;
  /** The operator's address, if it is known. */
  operator: string | undefined;
  /** The operator's command that moves the workspace to a plan, without the plan. */
  command: string;
}

interface Props {
  plan: Plan;
  /** Monthly requests of each plan. */
  quotas: Readonly<Record<Plan, number>>;
  report: Report;
  more: MoreRequestsProps;
}

/** The month so far: used and remaining requests, a projection, and, near the limit, how to get more. */
export function MonthCard({ plan, quotas, report, more }: Props) {
  const { limit, used, resetAt, projected } = report;
  const left = Math.max(0, limit - used);
  const near = used >= quotaWarnLine(limit) || (projected ?? 0) > limit;
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
      {near ? (
        <Callout tone={used >= limit ? "bad" : "warn"}>
          <p>{outlookText(report)}</p>
          <MoreRequests {...more} plan={planAbove(report, plan, quotas)} />
        </Callout>
      ) : (
        used > 0 && projected !== null && <p className="text-sm">{paceText(projected)}</p>
      )}
      <p className="text-note text-muted">
        Owners and admins get an email at {QUOTA_WARN_PERCENT}% and at 100%. Webhook endpoints get an event.
      </p>
    </Section>
  );
}

const paceText = (projected: number) =>
  `At this pace, you use about ${formatNumber(projected)} requests this month.`;

function outlookText({ limit, used, projected, resetAt }: Report): string {
  if (used >= limit)
    return `The quota is used up. API requests are refused until ${formatLongDate(resetAt)}.`;
  return `${projected === null ? "" : `${paceText(projected)} `}Requests above your quota are refused.`;
}

/** The next step near the limit: the operator raises it at the request of an owner or admin. */
function MoreRequests({ workspace, admin, operator, command, plan }: MoreRequestsProps & { plan: string }) {
  const subject = encodeURIComponent(`More requests for ${workspace.name}`);
  const body = encodeURIComponent(`${command} ${plan}`);
  const address = operator ? `mailto:${operator}?subject=${subject}&body=${body}` : `#${CHANGE_PLAN}`;
  return (
    <>
      <p>
        {admin
          ? "Ask the operator of this service for a higher one. It takes effect within seconds."
          : "An owner or admin of the team can ask the operator of this service for a higher one."}
      </p>
      <p className="mt-1">
        {admin ? (
          <a href={address} className={buttonClass({ variant: "secondary" })}>
            {operator ? "Email the operator" : "See the command"}
          </a>
        ) : (
          <TeamStep of={workspace} />
        )}
      </p>
    </>
  );
}
