import { Ticket } from "lucide-react";
import type { Metadata } from "next";
import { CreatePool } from "@/components/codes/pool-form";
import { PoolSection } from "@/components/codes/pool-section";
import { CodeTabs } from "@/components/store/code-tabs";
import { buttonClass } from "@/components/ui/button";
import { EmptyState, TeamStep } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { mayAct } from "@/lib/contract/workspace";
import { stockOf } from "@/lib/program/stats/stock";
import { appContext } from "@/lib/web/session/context";
import { createPoolAction, deletePoolAction, updatePoolAction } from "./actions";

interface Props {
  params: Promise<{ appId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Codes · ${(await appContext((await params).appId)).app.name}` };
}

export default async function CodesPage({ params }: Props) {
  const { ctx, app, workspace, role } = await appContext((await params).appId);
  const pools = await stockOf(ctx);
  const mayChange = mayAct(role, "member");
  const actions = mayChange && (
    <div className="flex flex-wrap gap-2">
      <CreatePool action={createPoolAction} appId={app.id} />
      <Link href={`/dashboard/apps/${app.id}/codes/import`} className={buttonClass()}>
        Import codes
      </Link>
    </div>
  );
  const poolActions = mayChange ? { update: updatePoolAction, remove: deletePoolAction } : undefined;
  return (
    <div className="grid gap-8">
      <PageHeader title="Codes" action={pools.length > 0 && actions}>
        Promo codes from the stores, held in pools until they are assigned.
      </PageHeader>
      <CodeTabs appId={app.id} />
      {pools.length === 0 && (
        <EmptyState icon={Ticket} title="No codes yet" action={actions || <TeamStep of={workspace} />}>
          {mayChange
            ? "Import codes from the store: the pool for them is created with the import."
            : "Ask a member of your workspace to import codes."}
        </EmptyState>
      )}
      {pools.map((pool) => (
        <PoolSection key={pool.id} appId={app.id} pool={pool} actions={poolActions} />
      ))}
    </div>
  );
}
