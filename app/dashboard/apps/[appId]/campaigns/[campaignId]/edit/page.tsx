import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/ui/page-header";
import { mayAct } from "@/lib/contract/workspace";
import { listPoolOptions } from "@/lib/program/pools/get";
import { updateCampaignAction } from "../../actions";
import { EditCampaign } from "../../editors";
import { campaignContext } from "../context";

export const metadata: Metadata = { title: "Edit campaign" };

interface Props {
  params: Promise<{ appId: string; campaignId: string }>;
}

export default async function EditCampaignPage({ params }: Props) {
  const { ctx, app, role, campaign } = await campaignContext(await params);
  if (!mayAct(role, "member") || campaign.status === "ended") notFound();
  const path = `/dashboard/apps/${app.id}/campaigns`;
  return (
    <>
      <PageHeader title={`Edit ${campaign.name}`}>
        Changes apply from now on. If they make rewards due, you see how many before anything is granted.
      </PageHeader>
      <EditCampaign
        action={updateCampaignAction}
        appId={app.id}
        app={ctx.app}
        campaign={campaign}
        pools={await listPoolOptions(ctx)}
        landing={`${path}/landing`}
        back={`${path}/${campaign.id}`}
      />
    </>
  );
}
