import type { Metadata } from "next";
import { NewCampaignForm } from "@/components/campaign/new-form";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import { platformsOfApp } from "@/lib/contract/app";
import { NEW_CAMPAIGN } from "@/lib/contract/campaign";
import { FROM_START } from "@/lib/contract/checklist";
import { mayAct } from "@/lib/contract/workspace";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { listPoolOptions } from "@/lib/program/pools/get";
import { exampleAnswers } from "@/lib/program/referrals/example-answers";
import { appContext } from "@/lib/web/session/context";
import { createCampaignAction } from "../actions";

export const metadata: Metadata = { title: "New campaign" };

interface Props {
  params: Promise<{ appId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function NewCampaignPage({ params, searchParams }: Props) {
  const { ctx, app, role } = await appContext((await params).appId);
  const [pools, campaigns] = await Promise.all([listPoolOptions(ctx), listCampaigns(ctx)]);
  const active = campaigns.find(({ type, status }) => type === "referral" && status === "active");
  return (
    <>
      <PageHeader
        title="New campaign"
        trail={[{ href: `/dashboard/apps/${app.id}/campaigns`, name: "Campaigns" }]}
      >
        A draft assigns no codes. You can change everything except the type later.
      </PageHeader>
      {mayAct(role, "member") ? (
        <NewCampaignForm
          action={createCampaignAction}
          appId={app.id}
          from={(await searchParams).from === FROM_START ? FROM_START : undefined}
          examples={exampleAnswers(ctx.app)}
          stores={platformsOfApp(ctx.app)}
          campaign={NEW_CAMPAIGN}
          pools={pools}
          active={active ? { id: active.id, name: active.name } : null}
          landing={`/dashboard/apps/${app.id}/campaigns/landing`}
        />
      ) : (
        <Callout>
          <p>Creating a campaign needs the member role. Ask a workspace admin.</p>
        </Callout>
      )}
    </>
  );
}
