import { Webhook } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { CreateEndpoint } from "@/components/webhook/endpoint-form";
import { EndpointList } from "@/components/webhook/endpoint-list";
import { PayloadExamples } from "@/components/webhook/payload-examples";
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/contract/webhook-events";
import { exampleBody } from "@/lib/contract/webhook-payloads";
import { mayAct } from "@/lib/contract/workspace";
import { lastDeliveries, listEndpointsFor } from "@/lib/outward/webhooks/endpoints";
import { appContext } from "@/lib/web/session/context";
import { createEndpointAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Webhooks · ${(await appContext((await params).appId)).app.name}` };
}

const BODIES = Object.fromEntries(
  WEBHOOK_EVENT_NAMES.map((name) => [name, JSON.stringify(exampleBody(name), null, 2)]),
) as Record<WebhookEvent, string>;

export default async function WebhooksPage({ params }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const endpoints = await listEndpointsFor(ctx, role);
  const last = await lastDeliveries(ctx);
  const rows = endpoints.map((endpoint) => ({ ...endpoint, last: last.get(endpoint.id) }));
  const mayChange = mayAct(role, "admin");
  const create = mayChange && <CreateEndpoint action={createEndpointAction} appId={app.id} />;
  return (
    <SecretReveal>
      <PageHeader title="Webhooks" action={endpoints.length > 0 ? create : null}>
        The addresses that receive this app’s events, signed as Standard Webhooks.
      </PageHeader>
      {endpoints.length > 0 ? (
        <EndpointList path={`/dashboard/apps/${app.id}/webhooks`} endpoints={rows} />
      ) : (
        <EmptyState icon={Webhook} title="No endpoints yet" action={create || <TeamStep of={workspace} />}>
          {mayChange
            ? "Add an endpoint to notify your back end, CRM or chat about referrals and rewards."
            : "Ask a workspace admin to add one."}
        </EmptyState>
      )}
      <PayloadExamples bodies={BODIES} />
    </SecretReveal>
  );
}
