import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/dashboard/page-header";
import { listCampaigns } from "@/lib/campaigns/list";
import { mayAct } from "@/lib/contract/roles";
import { poolChoices } from "@/lib/pools/choices";
import { personContext } from "@/lib/session/context";
import { createCampaignAction } from "../actions";
import { NewCampaign } from "../editors";

export const metadata: Metadata = { title: "New campaign" };

interface Props {
  params: Promise<{ appId: string }>;
}

export default async function NewCampaignPage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  if (!mayAct(role, "member")) notFound();
  const [pools, campaigns] = await Promise.all([poolChoices(ctx), listCampaigns(ctx)]);
  const active = campaigns.find(({ type, status }) => type === "referral" && status === "active");
  return (
    <>
      <PageHeader title="New campaign">
        A draft gives no codes. You can change everything but the type later.
      </PageHeader>
      <NewCampaign
        action={createCampaignAction}
        appId={app.id}
        app={ctx.app}
        pools={pools}
        active={active ? { id: active.id, name: active.name } : null}
        landing={`/dashboard/apps/${app.id}/campaigns/landing`}
      />
    </>
  );
}
