import type { Metadata } from "next";
import { cookies } from "next/headers";
import { ActivityList } from "@/components/overview/activity-list";
import { OverviewFunnel } from "@/components/overview/funnel";
import { CriticalProblems, ProblemList } from "@/components/overview/problem-list";
import { QuotaCard } from "@/components/overview/quota-card";
import { RangeBar } from "@/components/overview/range-bar";
import { StartCard } from "@/components/overview/start-card";
import { StockCards } from "@/components/overview/stock-cards";
import { TrendChart } from "@/components/overview/trend-chart";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { hiddenStartCookie } from "@/lib/contract/checklist";
import { overviewQuery } from "@/lib/contract/overview";
import { mayAct } from "@/lib/contract/workspace";
import { checklistOf } from "@/lib/outward/overview/checklist";
import { readOverview } from "@/lib/outward/overview/overview";
import { appContext, quotaOf } from "@/lib/web/session/context";
import { currentUser } from "@/lib/web/session/current-user";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await appContext((await params).appId)).app.name };
}

export default async function OverviewPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  const reader = { appId: app.id, workspaceId: ctx.workspace.id, role };
  const { demo } = await currentUser();
  const query = overviewQuery.parse(await searchParams);
  const overview = await readOverview(ctx, query);
  const { trend, pools, activity, problems, campaigns, notes } = overview;
  const hidden = demo || (await cookies()).has(hiddenStartCookie(app.id));
  const checklist = hidden ? undefined : await checklistOf(ctx);
  return (
    <>
      <PageHeader title={app.name}>All dates in UTC.</PageHeader>
      {checklist && !checklist.complete && <StartCard appId={app.id} checklist={checklist} />}
      <CriticalProblems problems={problems} />
      <RangeBar appId={app.id} query={query} trend={trend} campaigns={campaigns} />
      <section aria-label="Figures" className="rounded-xl border border-line bg-surface shadow-xs">
        <h2 className="sr-only">Figures</h2>
        <OverviewFunnel appId={app.id} query={query} trend={trend} />
        <TrendChart appId={app.id} query={query} trend={trend} notes={notes} />
      </section>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="grid gap-6">
          <div id="problems" className="scroll-mt-20">
            <Section title="Problems">
              <ProblemList reader={reader} problems={problems} empty="All good" />
            </Section>
          </div>
          <Section title="Requests this month">
            <QuotaCard {...(await quotaOf(ctx))} workspaceId={ctx.workspace.id} />
          </Section>
        </div>
        <Section title="Recent activity">
          <ActivityList appId={app.id} items={activity} />
        </Section>
      </div>
      <section aria-label="Stock" className="grid gap-3">
        <h2 className="text-sm font-semibold">Stock</h2>
        <StockCards
          appId={app.id}
          pools={pools}
          readOnlyIn={mayAct(role, "member") ? undefined : ctx.workspace}
        />
      </section>
    </>
  );
}
