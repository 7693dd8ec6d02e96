import { Megaphone, Plus } from "lucide-react";
import type { Metadata } from "next";
import { CampaignTable } from "@/components/campaign/campaign-table";
import { buttonClass } from "@/components/ui/button";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { campaignQuery } from "@/lib/contract/campaign-view";
import { mayAct } from "@/lib/contract/workspace";
import { campaignPage } from "@/lib/program/campaigns/outlook";
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
  const { data: rows, nextCursor } = await campaignPage(ctx, query);
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
      <PageHeader title="Campaigns" action={rows.length > 0 ? create : null}>
        Who can invite, how many referrals earn a reward, and which pools the codes come from.
      </PageHeader>
      {rows.length > 0 ? (
        <CampaignTable path={path} query={query} change={change} rows={rows} nextCursor={nextCursor} />
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
