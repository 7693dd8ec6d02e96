import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { MonthCard } from "@/components/workspace/month-card";
import { PlanTable, QuotaMeaning } from "@/components/workspace/plan-table";
import { UsageTable } from "@/components/workspace/usage-table";
import { mayAct } from "@/lib/contract/workspace";
import { commandLine, env } from "@/lib/platform/env";
import { CUSTOM_SCOPE_PLANS, PLAN_QUOTA } from "@/lib/tenants/quota/plans";
import { getQuotaReport } from "@/lib/tenants/quota/usage";
import { workspaceContext } from "@/lib/web/session/context";

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Plan and usage · ${(await workspaceContext((await params).workspaceId)).workspace.name}` };
}

export default async function PlanPage({ params }: Props) {
  const ctx = await workspaceContext((await params).workspaceId);
  const report = await getQuotaReport(ctx);
  const { plan, id } = ctx.workspace;
  const admin = mayAct(ctx.role, "admin");
  const command = commandLine("plan", id);
  const operator = admin ? env().OPERATOR_EMAIL : undefined;
  const more = { workspace: ctx.workspace, admin, operator, command };
  return (
    <>
      <PageHeader title="Plan and usage">
        All apps of the workspace share one monthly quota of API requests.
      </PageHeader>
      <MonthCard plan={plan} quotas={PLAN_QUOTA} report={report} more={more} />
      <QuotaMeaning />
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <UsageTable
          title="This month by app"
          hint="Answered requests. Some of them, such as those beyond a limit, use no quota."
          header="App"
          empty="No requests this month yet. Your apps send them with an API key."
          rows={report.apps.map(({ id: key, name, requests }) => ({ key, name, requests }))}
        />
        <UsageTable
          title="By month"
          hint="Requests that counted against the quota, by month in UTC."
          header="Month"
          empty="No requests yet. A month appears here with its first request."
          rows={report.months.map(({ month, used }) => ({ key: month, month, requests: used }))}
        />
      </div>
      <PlanTable
        plan={plan}
        command={command}
        usage={report}
        quotas={PLAN_QUOTA}
        custom={CUSTOM_SCOPE_PLANS}
      />
    </>
  );
}
