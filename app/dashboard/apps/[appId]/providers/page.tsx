import { Plug } from "lucide-react";
import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { ConnectionList } from "@/components/provider/connection-list";
import { CreateConnection } from "@/components/provider/create-connection";
import { ProviderTabs } from "@/components/provider/provider-tabs";
import { EmptyState } from "@/components/ui/empty-state";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { toView } from "@/lib/connections/connection";
import { GUIDES, guideOf } from "@/lib/connections/guides";
import { connectionHealth } from "@/lib/connections/health";
import { listConnections } from "@/lib/connections/list";
import { mayAct } from "@/lib/contract/roles";
import { personContext } from "@/lib/session/context";
import { createConnectionAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Providers · ${(await personContext((await params).appId)).app.name}` };
}

export default async function ProvidersPage({ params }: Props) {
  const { ctx, app, role } = await personContext((await params).appId);
  const connections = await listConnections(ctx);
  const rows = await Promise.all(
    connections.map(async (connection) => ({
      connection: toView(connection),
      provider: guideOf(connection.provider)?.label ?? connection.provider,
      health: await connectionHealth(ctx, connection.id),
    })),
  );
  const path = `/dashboard/apps/${app.id}/providers`;
  const mayChange = mayAct(role, "admin");
  const create = mayChange && (
    <CreateConnection action={createConnectionAction} appId={app.id} guides={GUIDES} />
  );
  return (
    <SecretReveal>
      <PageHeader title="Providers" action={rows.length > 0 ? create : null}>
        Who tells this app that a referee bought something. Only that makes a referral count.
      </PageHeader>
      <ProviderTabs path={path} />
      {rows.length > 0 ? (
        <ConnectionList path={path} rows={rows} />
      ) : (
        <EmptyState icon={Plug} title="No provider is connected" action={create}>
          {mayChange
            ? "Connect your subscription provider, a store or your own server, so that purchases confirm referrals."
            : "Ask an admin of your workspace to connect one. Until then no referral is confirmed."}
        </EmptyState>
      )}
    </SecretReveal>
  );
}
