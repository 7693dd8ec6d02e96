import { Megaphone, Plus } from "lucide-react";
import type { Metadata } from "next";
import { CampaignTable } from "@/components/campaign/campaign-table";
import { buttonClass } from "@/components/ui/button";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { campaignQuery } from "@/lib/contract/campaign-view";
import { mayAct } from "@/lib/contract/workspace";
import { campaignFigures } from "@/lib/program/campaigns/outlook";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { recentConfirmed } from "@/lib/program/stats/trend";
import { appContext } from "@/lib/web/session/context";
import { endManyAction, pauseManyAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Campaigns · ${(await appContext((await params).appId)).app.name}` };
}

export default async function CampaignsPage({ params, searchParams }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const query = campaignQuery.parse(await searchParams);
  const [campaigns, figuresOf, recentOf] = await Promise.all([
    listCampaigns(ctx),
    campaignFigures(ctx),
    recentConfirmed(ctx.db, [app.id], "campaign"),
  ]);
  const rows = campaigns.map((row) => ({ ...row, figures: figuresOf(row.id), recent: recentOf(row.id) }));
  const path = `/dashboard/apps/${app.id}/campaigns`;
  const mayChange = mayAct(role, "member");
  const change = mayChange ? { appId: app.id, pause: pauseManyAction, end: endManyAction } : undefined;
  const create = mayChange && (
    <Link href={`${path}/new`} className={buttonClass()}>
      <Plus className="size-4" aria-hidden />
      Create campaign
    </Link>
  );
  return (
    <>
      <PageHeader title="Campaigns" action={campaigns.length > 0 ? create : null}>
        Who can invite, how many referrals earn a reward, and which pools the codes come from.
      </PageHeader>
      {campaigns.length > 0 ? (
        <CampaignTable path={path} query={query} change={change} rows={rows} />
      ) : (
        <EmptyState icon={Megaphone} title="No campaigns yet" action={create || <TeamStep of={workspace} />}>
          {mayChange
            ? "Create a campaign. Codes are assigned only while one is active."
            : "Ask a member of your workspace to create a campaign."}
        </EmptyState>
      )}
    </>
  );
}
