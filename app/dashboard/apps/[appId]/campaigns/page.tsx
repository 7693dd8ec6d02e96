import { Megaphone, Plus } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { CampaignTable } from "@/components/campaign/campaign-table";
import { PageHeader } from "@/components/dashboard/page-header";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { campaignFigures } from "@/lib/campaigns/figures";
import { listCampaigns } from "@/lib/campaigns/list";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Campaigns · ${(await personContext((await params).appId)).app.name}` };
}

export default async function CampaignsPage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const [campaigns, figuresOf] = await Promise.all([listCampaigns(ctx), campaignFigures(ctx)]);
  const path = `/dashboard/apps/${app.id}/campaigns`;
  const mayChange = mayAct(role, "member");
  const create = mayChange && (
    <Link href={`${path}/new`} className={buttonClass()}>
      <Plus className="size-4" aria-hidden />
      Create campaign
    </Link>
  );
  return (
    <>
      <PageHeader title="Campaigns" action={campaigns.length > 0 ? create : null}>
        Who invites, how many referrals make a reward, and where codes come from.
      </PageHeader>
      {campaigns.length > 0 ? (
        <CampaignTable
          path={path}
          rows={campaigns.map((campaign) => ({ campaign, figures: figuresOf(campaign.id) }))}
        />
      ) : (
        <EmptyState icon={Megaphone} title="No campaign yet" action={create}>
          {mayChange
            ? "Create one: until a campaign is active, every redeem answers 409 CAMPAIGN_INACTIVE."
            : "Ask a member of your workspace to create one."}
        </EmptyState>
      )}
    </>
  );
}
