import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { formatNumber } from "@/lib/contract/format";
import { type Plan, planField } from "@/lib/contract/workspace";

interface Usage {
  limit: number;
  used: number;
  projected: number | null;
}

interface Props {
  plan: Plan;
  /** The operator's command that moves this workspace to a plan, without the plan. */
  command: string;
  usage: Usage;
  /** Monthly requests of each plan. */
  quotas: Readonly<Record<Plan, number>>;
  /** Plans with custom scopes and read-only keys. */
  custom: readonly Plan[];
}

/** The id of the part of the page that says how to change the plan. */
export const CHANGE_PLAN = "change-plan";

/** The smallest plan from the current one up that covers the month and an agreed quota, which ends with a change of plan. */
export function planAbove({ limit, used, projected }: Usage, plan: Plan, quotas: Props["quotas"]): string {
  const { options } = planField;
  const needed = Math.max(limit, used, projected ?? 0);
  const larger = options.slice(options.indexOf(plan)).find((name) => quotas[name] > needed);
  return larger ?? `enterprise --quota ${2 * needed}`;
}

/** The plans, the current one, and how the operator changes it. */
export function PlanTable({ plan, command, usage, quotas, custom }: Props) {
  return (
    <Section
      title="Plans"
      hint="Plans differ in these two ways. Each includes all features of the dashboard."
    >
      <div className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead className="border-b border-line text-left text-xs text-muted">
            <tr>
              <th scope="col" className="py-2 pr-4 font-medium">
                Plan
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                Requests per month
              </th>
              <th scope="col" className="py-2 font-medium">
                Custom and read-only keys
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {(Object.keys(quotas) as Plan[]).map((name) => (
              <tr key={name}>
                <th scope="row" className="py-2.5 pr-4 text-left font-medium whitespace-nowrap">
                  <span className="pr-2 capitalize">{name}</span>
                  {name === plan && <Badge tone="accent">Current</Badge>}
                </th>
                <td className="py-2.5 pr-4 text-right whitespace-nowrap tabular-nums">
                  {formatNumber(quotas[name])}
                  {name === "enterprise" && <span className="text-muted max-sm:hidden"> or as agreed</span>}
                </td>
                <td className="py-2.5">{custom.includes(name) ? "Yes" : "No"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="min-w-0 space-y-2">
        <h3 id={CHANGE_PLAN} className="scroll-mt-20 text-sm font-medium">
          Change the plan
        </h3>
        <p className="text-sm text-muted">
          The operator of this service moves the workspace to another plan, or gives an Enterprise workspace a
          quota of its own. Send them one of these commands. It takes effect within seconds, and requests
          already used stay counted.
        </p>
        <CodeBlock
          text={`${command} ${planAbove(usage, plan, quotas)}`}
          label="Copy the command for a plan"
        />
        <CodeBlock text={`${command} enterprise --quota 20000000`} label="Copy the command for a quota" />
      </div>
    </Section>
  );
}

const MEANING = [
  {
    title: "What counts",
    text: "Each API request with a valid key, from every app of the workspace: getting a metacode, redeeming, claiming, managing webhooks. Landing pages, reported purchases, webhooks and this dashboard do not count, nor do requests that fail on our side.",
  },
  {
    title: "What happens at the end",
    text: "Until the quota resets, API requests are refused: apps get no metacodes, and no codes are assigned or claimed. Landing pages keep working, purchases are still confirmed, and no reward is lost. Your app can repeat a refused request later.",
  },
];

/** The meaning of the monthly quota, in plain words. */
export function QuotaMeaning() {
  return (
    <Section title="What the limit means">
      <dl className="grid gap-x-8 gap-y-4 text-sm md:grid-cols-2">
        {MEANING.map(({ title, text }) => (
          <div key={title} className="grid content-start gap-1">
            <dt className="font-medium">{title}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
