import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { formatNumber } from "@/lib/contract/format";
import type { Plan } from "@/lib/contract/workspace";

interface Props {
  plan: Plan;
  workspaceId: string;
  /** Monthly requests of each plan. */
  quotas: Readonly<Record<Plan, number>>;
  /** Plans with custom scopes and read-only keys. */
  custom: readonly Plan[];
}

/** The plans, the current one, and how the operator changes it. */
export function PlanTable({ plan, workspaceId, quotas, custom }: Props) {
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
        <p className="text-sm text-muted">
          The operator of this service changes plans and quotas with this command. It takes effect within
          seconds.
        </p>
        <CodeBlock text={`npm run plan -- ${workspaceId} pro`} label="Copy the command" />
      </div>
    </Section>
  );
}
