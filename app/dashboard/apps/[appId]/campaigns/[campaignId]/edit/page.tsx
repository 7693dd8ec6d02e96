import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EditCampaignForm } from "@/components/campaign/edit-form";
import { PageHeader } from "@/components/ui/page-header";
import { platformsOfApp } from "@/lib/contract/app";
import { mayAct } from "@/lib/contract/workspace";
import { auditedRules } from "@/lib/program/campaigns/rules";
import { listPoolOptions } from "@/lib/program/pools/get";
import { exampleAnswers } from "@/lib/program/referrals/example-answers";
import { updateCampaignAction } from "../../actions";
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
      <PageHeader
        title="Edit campaign"
        trail={[
          { href: path, name: "Campaigns" },
          { href: `${path}/${campaign.id}`, name: campaign.name },
        ]}
      >
        Changes apply from now on. If they make rewards due, you see how many before anything is granted.
      </PageHeader>
      <EditCampaignForm
        action={updateCampaignAction}
        appId={app.id}
        examples={exampleAnswers(ctx.app)}
        stores={platformsOfApp(ctx.app)}
        campaign={campaign}
        seen={auditedRules(campaign)}
        pools={await listPoolOptions(ctx)}
        landing={`${path}/landing`}
        back={`${path}/${campaign.id}`}
      />
    </>
  );
}
