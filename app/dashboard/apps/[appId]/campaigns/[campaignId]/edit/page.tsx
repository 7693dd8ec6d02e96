import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/dashboard/page-header";
import { mayAct } from "@/lib/contract/roles";
import { poolChoices } from "@/lib/pools/choices";
import { updateCampaignAction } from "../../actions";
import { EditCampaign } from "../../editors";
import { campaignRoom } from "../room";

export const metadata: Metadata = { title: "Edit campaign" };

interface Props {
  params: Promise<{ appId: string; campaignId: string }>;
}

export default async function EditCampaignPage({ params }: Props) {
  const { ctx, app, role, campaign } = await campaignRoom(await params);
  if (!mayAct(role, "member") || campaign.status === "ended") notFound();
  const path = `/dashboard/apps/${app.id}/campaigns`;
  return (
    <>
      <PageHeader title={`Edit ${campaign.name}`}>
        Changes apply to what happens from now on. What they make due is shown before it is granted.
      </PageHeader>
      <EditCampaign
        action={updateCampaignAction}
        appId={app.id}
        app={ctx.app}
        campaign={campaign}
        pools={await poolChoices(ctx)}
        landing={`${path}/landing`}
        back={`${path}/${campaign.id}`}
      />
    </>
  );
}
