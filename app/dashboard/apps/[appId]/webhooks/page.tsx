import { Webhook } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { CreateEndpoint } from "@/components/webhook/create-endpoint";
import { EndpointList } from "@/components/webhook/endpoint-list";
import { PayloadExamples } from "@/components/webhook/payload-examples";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { listEndpoints } from "@/lib/webhooks/endpoint";
import { createEndpointAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Webhooks · ${(await personContext((await params).appId)).app.name}` };
}

export default async function WebhooksPage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const endpoints = await listEndpoints(ctx);
  const mayChange = mayAct(role, "admin");
  const create = mayChange && <CreateEndpoint action={createEndpointAction} appId={app.id} />;
  return (
    <SecretReveal>
      <PageHeader title="Webhooks" action={endpoints.length > 0 ? create : null}>
        Addresses of yours that are told what happens in this app, signed as Standard Webhooks.
      </PageHeader>
      {endpoints.length > 0 ? (
        <EndpointList path={`/dashboard/apps/${app.id}/webhooks`} endpoints={endpoints} />
      ) : (
        <EmptyState icon={Webhook} title="No endpoint" action={create}>
          {mayChange
            ? "Add one to have your back end, CRM or chat told of referrals and rewards."
            : "Ask an admin of your workspace to add one."}
        </EmptyState>
      )}
      <PayloadExamples />
    </SecretReveal>
  );
}
