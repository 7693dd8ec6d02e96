import { Plug } from "lucide-react";
import type { Metadata } from "next";
import { ConnectionList } from "@/components/provider/connection-list";
import { CreateConnection } from "@/components/provider/create-connection";
import { ProviderTabs } from "@/components/provider/provider-tabs";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { mayAct } from "@/lib/contract/workspace";
import { listConnections, toConnectionView } from "@/lib/program/connections/connection";
import { findGuide, GUIDES } from "@/lib/program/connections/guides";
import { connectionHealth } from "@/lib/program/connections/health";
import { appContext } from "@/lib/web/session/context";
import { createConnectionAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Providers · ${(await appContext((await params).appId)).app.name}` };
}

export default async function ProvidersPage({ params }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const connections = await listConnections(ctx);
  const rows = await Promise.all(
    connections.map(async (connection) => ({
      connection: toConnectionView(connection),
      provider: findGuide(connection.provider)?.label ?? connection.provider,
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
        Providers report what referees buy. Only these reports confirm referrals.
      </PageHeader>
      <ProviderTabs path={path} />
      {rows.length > 0 ? (
        <ConnectionList path={path} rows={rows} />
      ) : (
        <EmptyState icon={Plug} title="No provider connected" action={create || <TeamStep of={workspace} />}>
          {mayChange
            ? "Connect your subscription provider, a store or your own server, so that purchases confirm referrals."
            : "Ask a workspace admin to connect a provider. Until then no referral is confirmed."}
        </EmptyState>
      )}
    </SecretReveal>
  );
}
