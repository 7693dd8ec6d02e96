import type { Metadata } from "next";
import { Funnel } from "@/components/campaign/funnel";
import { Granting } from "@/components/campaign/granting";
import { Lifecycle } from "@/components/campaign/lifecycle";
import { Missing } from "@/components/campaign/missing";
import { Rules } from "@/components/campaign/rules";
import { CampaignStatus } from "@/components/campaign/status";
import { PageHeader } from "@/components/dashboard/page-header";
import { campaignFigures } from "@/lib/campaigns/figures";
import { outlookOf } from "@/lib/campaigns/outlook";
import { readinessOf } from "@/lib/campaigns/readiness";
import { mayAct } from "@/lib/contract/roles";
import {
  activateCampaignAction,
  duplicateCampaignAction,
  endCampaignAction,
  pauseCampaignAction,
  resumeCampaignAction,
} from "../actions";
import { Influencers } from "./influencers";
import { campaignRoom } from "./room";

interface Props {
  params: Promise<{ appId: string; campaignId: string }>;
  searchParams: Promise<{ cursor?: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await campaignRoom(await params)).campaign.name };
}

export default async function CampaignPage({ params, searchParams }: Props) {
  const { ctx, app, role, campaign } = await campaignRoom(await params);
  const { cursor } = await searchParams;
  const mayChange = mayAct(role, "member");
  const [outlook, readiness, figuresOf] = await Promise.all([
    outlookOf(ctx, campaign),
    readinessOf(ctx, campaign),
    campaignFigures(ctx),
  ]);
  const base = `/dashboard/apps/${app.id}`;
  const missing = <Missing readiness={readiness} codes={`${base}/codes`} settings={`${base}/settings`} />;
  return (
    <>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="break-words">{campaign.name}</span>
            <CampaignStatus campaign={campaign} />
          </span>
        }
        action={
          mayChange && (
            <Lifecycle
              appId={app.id}
              edit={`${base}/campaigns/${campaign.id}/edit`}
              actions={{
                start: campaign.status === "draft" ? activateCampaignAction : resumeCampaignAction,
                pause: pauseCampaignAction,
                end: endCampaignAction,
                duplicate: duplicateCampaignAction,
              }}
              {...{ campaign, outlook, readiness, missing }}
            />
          )
        }
      />
      <Granting campaign={campaign} />
      {campaign.status !== "ended" && missing}
      <Funnel figures={figuresOf(campaign.id)} />
      {campaign.type === "influencer" && <Influencers {...{ ctx, campaign, role, cursor }} />}
      <Rules campaign={campaign} readiness={readiness} pools={`${base}/codes/pools`} />
    </>
  );
}
