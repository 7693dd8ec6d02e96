import type { Metadata } from "next";
import { cookies } from "next/headers";
import { PageHeader } from "@/components/dashboard/page-header";
import { ActivityList } from "@/components/overview/activity-list";
import { AttentionList, Urgent } from "@/components/overview/attention-list";
import { Funnel } from "@/components/overview/funnel";
import { QuotaCard } from "@/components/overview/quota-card";
import { RangeBar } from "@/components/overview/range-bar";
import { StartCard } from "@/components/overview/start-card";
import { StockCards } from "@/components/overview/stock-cards";
import { TrendChart } from "@/components/overview/trend-chart";
import { Section } from "@/components/ui/section";
import { checklistOf } from "@/lib/apps/checklist";
import { hiddenStartCookie } from "@/lib/contract/checklist";
import { overviewQuery } from "@/lib/contract/overview";
import { personContext } from "@/lib/session/context";
import { readOverview } from "@/lib/stats/overview";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await personContext((await params).appId)).app.name };
}

export default async function OverviewPage({ params, searchParams }: Props) {
  const { ctx, app } = await personContext((await params).appId);
  const query = overviewQuery.parse(await searchParams);
  const checklist = await checklistOf(ctx);
  const overview = await readOverview(ctx, query);
  const { trend, pools, quota, activity, attention, campaigns } = overview;
  const hidden = (await cookies()).has(hiddenStartCookie(app.id));
  return (
    <>
      <PageHeader title={app.name}>Days are days in UTC, today included.</PageHeader>
      {!checklist.complete && !hidden && <StartCard appId={app.id} checklist={checklist} />}
      <Urgent items={attention} />
      <RangeBar appId={app.id} query={query} campaigns={campaigns} />
      <section aria-label="Figures" className="rounded-xl border border-line bg-surface shadow-xs">
        <h2 className="sr-only">Figures</h2>
        <Funnel appId={app.id} query={query} trend={trend} />
        <TrendChart query={query} trend={trend} />
      </section>
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <div className="grid gap-6">
          <div id="attention" className="scroll-mt-20">
            <Section title="Needs attention">
              <AttentionList appId={app.id} items={attention} />
            </Section>
          </div>
          <Section title="Requests of this month">
            <QuotaCard {...quota} />
          </Section>
        </div>
        <Section title="Newest activity">
          <ActivityList appId={app.id} items={activity} />
        </Section>
      </div>
      <section aria-label="Stock" className="grid gap-3">
        <h2 className="text-sm font-semibold">Stock</h2>
        <StockCards appId={app.id} pools={pools} />
      </section>
    </>
  );
}
